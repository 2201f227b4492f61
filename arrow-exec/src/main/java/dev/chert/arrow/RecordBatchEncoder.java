package dev.chert.arrow;

import dev.chert.batch.ArrayType;
import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.MapType;
import dev.chert.batch.Physical;
import dev.chert.batch.RowType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.kernel.DistinctSources;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Writes rows as Arrow IPC record batch messages.
///
/// The rows may lie in many batches, in any order, and are gathered while they are written, so writing takes no
/// native memory but that of the message: state can be moved to disk when none is left. Selections are applied;
/// constants and dictionaries are written flat. See the package description for how each type is written. Not
/// thread-safe.
///
/// First [#begin], then for ranges of the rows [#fitting] or [#bytesFor], and [#encode].
public final class RecordBatchEncoder {
    private static final int INLINE_BYTES = 12;
    private static final int VIEW_BYTES = 16;
    private static final int BUFFER_PADDING = 64;

    private final List<DataType> types;
    private final boolean anyVariable;
    private final long metadataBytes;
    private final long[] nodes;
    private final long[] buffers;
    private final long[] variadicCounts;
    private final DistinctSources touched = new DistinctSources();

    private Batch[] sources;
    private int[] sourceOf;
    private int[] rowOf;
    private long fixedBits;
    private long[] variableBytes = {};
    private int[] noSources = {};
    private int[] rows = {};

    private MemorySegment message;
    private long bodyBytes;
    private int nodeCount;
    private int bufferCount;
    private int viewCount;

    /// @param types of the columns; a source may have further ones, which are not written
    public RecordBatchEncoder(List<DataType> types) {
        this.types = List.copyOf(types);
        this.anyVariable = types.stream().anyMatch(type -> isVariable(type.physical()));
        types.forEach(this::count);
        this.nodes = new long[2 * nodeCount];
        this.buffers = new long[2 * bufferCount];
        this.variadicCounts = new long[viewCount];
        this.metadataBytes = RecordBatchMetadata.byteSize(nodeCount, bufferCount, viewCount);
    }

    /// Counts what a column of a type adds to the metadata.
    private void count(DataType type) {
        nodeCount++;
        switch (type.physical()) {
            case NONE -> {}
            case BIT, INT8, INT16, INT32, INT64, INT128, FLOAT32, FLOAT64, HANDLE -> bufferCount += 2;
            case VIEW -> {
                bufferCount += 3;
                viewCount++;
            }
            case LIST -> bufferCount += 2;
            case MAP -> {
                bufferCount += 3;
                nodeCount++;
            }
            case STRUCT -> bufferCount++;
        }
        childTypes(type).forEach(this::count);
    }

    static List<DataType> childTypes(DataType type) {
        return switch (type) {
            case ScalarType _ -> List.of();
            case ArrayType array -> List.of(array.element().type());
            case MapType map -> List.of(map.key(), map.value().type());
            case RowType row -> row.fields().stream().map(field -> field.type()).toList();
        };
    }

    private static boolean isVariable(Physical physical) {
        return switch (physical) {
            case VIEW, LIST, MAP, STRUCT -> true;
            case BIT, INT8, INT16, INT32, INT64, INT128, FLOAT32, FLOAT64, NONE, HANDLE -> false;
        };
    }

    /// Begins with the selected rows of a batch, borrowed until the next call.
    public void begin(Batch batch) {
        int count = batch.selectedRows();
        if (noSources.length < count) {
            noSources = new int[count];
            rows = new int[count];
        }
        int[] selection = batch.selection();
        for (int i = 0; i < count; i++) {
            rows[i] = selection == null ? i : selection[i];
        }
        begin(new Batch[] {batch}, noSources, rows, count);
    }

    /// Begins with rows of many batches, all borrowed until the next call, the arrays, too.
    ///
    /// @param rowSources where row `i` comes from: an index of `batches`
    /// @param rowNumbers which row it is there
    public void begin(Batch[] batches, int[] rowSources, int[] rowNumbers, int count) {
        sources = batches;
        sourceOf = rowSources;
        rowOf = rowNumbers;
        touched.find(rowSources, count, batches.length);
        fixedBits = 0;
        for (int c = 0; c < types.size(); c++) {
            fixedBits += 1 + fixedBits(types.get(c), c);
        }
        if (anyVariable) {
            measureVariable(count);
        }
    }

    private long fixedBits(DataType type, int c) {
        return switch (type.physical()) {
            case NONE, STRUCT -> 0;
            case BIT -> 1;
            case INT64, INT128 -> isWide(type, columns(c)) ? 128 : 64;
            case INT8, INT16, INT32, FLOAT32, FLOAT64, VIEW, LIST, MAP, HANDLE ->
                8L * type.physical().byteWidth();
        };
    }

    /// Works out what each row needs beyond the fixed width of its columns.
    private void measureVariable(int count) {
        if (variableBytes.length < count) {
            variableBytes = new long[count];
        }
        Arrays.fill(variableBytes, 0, count, 0);
        for (int c = 0; c < types.size(); c++) {
            if (isVariable(types.get(c).physical())) {
                for (int i = 0; i < count; i++) {
                    variableBytes[i] += variableBytes(sources[sourceOf[i]].column(c), rowOf[i]);
                }
            }
        }
    }

    /// Bytes that a value needs outside the fixed part of its column; an upper bound where it has children.
    private static long variableBytes(Column column, int row) {
        Column values = column.valueColumn();
        int at = column.valueRow(row);
        if (column.isNull(row)) {
            return values.physical() == Physical.STRUCT ? childBytes(values, at) : 0; // a NULL ROW has children, too
        }
        return switch (values.physical()) {
            case VIEW -> {
                int length = values.values().get(Layouts.INT, (long) VIEW_BYTES * at);
                yield length > INLINE_BYTES ? length : 0;
            }
            case LIST, MAP -> {
                int end = values.values().getAtIndex(Layouts.INT, at + 1);
                long bytes = 0;
                for (int child = values.values().getAtIndex(Layouts.INT, at); child < end; child++) {
                    bytes += childBytes(values, child);
                }
                yield bytes;
            }
            case STRUCT -> childBytes(values, at);
            case BIT, INT8, INT16, INT32, INT64, INT128, FLOAT32, FLOAT64, NONE, HANDLE -> 0;
        };
    }

    private static long childBytes(Column parent, int row) {
        long bytes = 0;
        for (Column child : parent.children()) {
            bytes += 1 + childWidth(child) + variableBytes(child, row);
        }
        return bytes;
    }

    private static int childWidth(Column child) {
        boolean mayBecomeWide = child.type() instanceof ScalarType type && type.kind() == TypeKind.DECIMAL;
        return mayBecomeWide
                ? Physical.INT128.byteWidth()
                : Math.max(1, child.physical().byteWidth());
    }

    /// How many rows from row `from` on, up to row `to`, fit into a message of some size; at least one.
    public int fitting(int from, int to, long messageBytes) {
        long room = messageBytes - overhead();
        if (!anyVariable) {
            long fit = fixedBits == 0 ? to - from : Math.max(1, 8 * room / fixedBits);
            return (int) Math.min(to - from, fit);
        }
        long bits = 0;
        int end = from;
        while (end < to) {
            bits += fixedBits + 8 * variableBytes[end];
            if (bits > 8 * room && end > from) {
                break;
            }
            end++;
        }
        return end - from;
    }

    /// The most bytes that the message of rows `from` to `to - 1` takes.
    public long bytesFor(int from, int to) {
        long bytes = overhead() + (fixedBits * (to - from) + 7 >>> 3);
        for (int i = from; anyVariable && i < to; i++) {
            bytes += variableBytes[i];
        }
        return bytes;
    }

    private long overhead() {
        return metadataBytes + (long) BUFFER_PADDING * (buffers.length / 2);
    }

    /// Writes the message of rows `from` to `to - 1`.
    ///
    /// @param into written from its beginning; [#bytesFor] bytes suffice
    /// @return     bytes written
    public long encode(int from, int to, MemorySegment into) {
        message = into;
        bodyBytes = 0;
        nodeCount = 0;
        bufferCount = 0;
        viewCount = 0;
        int count = to - from;
        int[] fromSources = Arrays.copyOfRange(sourceOf, from, to);
        int[] fromRows = Arrays.copyOfRange(rowOf, from, to);
        for (int c = 0; c < types.size(); c++) {
            column(types.get(c), columns(c), fromSources, fromRows, count);
        }
        RecordBatchMetadata.write(into, count, bodyBytes, nodes, buffers, variadicCounts);
        return metadataBytes + bodyBytes;
    }

    /// Column `c` of each source that is touched; null for the others.
    private Column[] columns(int c) {
        Column[] columns = new Column[sources.length];
        for (int t = 0; t < touched.count(); t++) {
            columns[touched.get(t)] = sources[touched.get(t)].column(c);
        }
        return columns;
    }

    private boolean isWide(DataType type, Column[] from) {
        if (type.physical() == Physical.INT128 && touched.count() == 0) {
            return true;
        }
        for (int t = 0; t < touched.count(); t++) {
            if (from[touched.get(t)].physical() == Physical.INT128) {
                return true;
            }
        }
        return false;
    }

    /// Writes `count` rows of a column, or of a child.
    ///
    /// @param from by source
    private void column(DataType type, Column[] from, int[] fromSources, int[] fromRows, int count) {
        int node = nodeCount++;
        nodes[2 * node] = count;
        if (type.physical() == Physical.NONE) {
            nodes[2 * node + 1] = count;
            return;
        }
        MemorySegment validity = validity(from, fromSources, fromRows, count);
        nodes[2 * node + 1] = validity == null ? 0 : count - Bitmap.countOnes(validity, count);
        int[] places = places(from, fromSources, fromRows, count);
        switch (type.physical()) {
            case VIEW -> views(from, fromSources, places, count, validity);
            case LIST -> children(type, from, fromSources, places, count, validity);
            case MAP -> children(type, from, fromSources, places, count, validity);
            case STRUCT -> {
                List<DataType> fields = childTypes(type);
                for (int f = 0; f < fields.size(); f++) {
                    column(fields.get(f), childrenOf(from, f), fromSources, places, count);
                }
            }
            case INT64, INT128 -> {
                boolean wide = isWide(type, from);
                MemorySegment to = buffer((wide ? 16L : 8L) * count);
                if (wide) {
                    copyWide(from, fromSources, places, count, to);
                } else {
                    copy(Physical.INT64, values(from), fromSources, places, count, to);
                }
            }
            case BIT, INT8, INT16, INT32, FLOAT32, FLOAT64, HANDLE ->
                copy(
                        type.physical(),
                        values(from),
                        fromSources,
                        places,
                        count,
                        buffer(type.physical().bytesFor(count)));
            case NONE -> throw new AssertionError(type);
        }
    }

    /// Writes the validity, which takes no bytes where nothing is NULL.
    ///
    /// @return the bitmap, or null
    private MemorySegment validity(Column[] from, int[] fromSources, int[] fromRows, int count) {
        boolean nulls = false;
        for (int t = 0; t < touched.count(); t++) {
            nulls |= from[touched.get(t)].hasNulls();
        }
        int firstNull = 0;
        if (nulls) {
            while (firstNull < count && !from[fromSources[firstNull]].isNull(fromRows[firstNull])) {
                firstNull++;
            }
        }
        if (!nulls || firstNull == count) {
            buffer(0);
            return null;
        }
        MemorySegment bits = buffer(Physical.BIT.bytesFor(count));
        Bitmap.fillOnes(bits, count);
        for (int i = firstNull; i < count; i++) {
            if (from[fromSources[i]].isNull(fromRows[i])) {
                Bitmap.clear(bits, i);
            }
        }
        return bits;
    }

    /// Where in the sources' value columns the values lie.
    private int[] places(Column[] from, int[] fromSources, int[] fromRows, int count) {
        boolean flat = true;
        for (int t = 0; t < touched.count(); t++) {
            flat &= from[touched.get(t)].isFlat();
        }
        if (flat) {
            return fromRows;
        }
        int[] places = new int[count];
        for (int i = 0; i < count; i++) {
            places[i] = from[fromSources[i]].valueRow(fromRows[i]);
        }
        return places;
    }

    private MemorySegment[] values(Column[] from) {
        MemorySegment[] values = new MemorySegment[from.length];
        for (int t = 0; t < touched.count(); t++) {
            values[touched.get(t)] = from[touched.get(t)].valueColumn().values();
        }
        return values;
    }

    private Column[] childrenOf(Column[] from, int child) {
        Column[] children = new Column[from.length];
        for (int t = 0; t < touched.count(); t++) {
            children[touched.get(t)] = from[touched.get(t)].children().get(child);
        }
        return children;
    }

    /// Appends a buffer to the body, its padding zeroed, its other bytes undefined.
    private MemorySegment buffer(long length) {
        long at = metadataBytes + bodyBytes;
        long padded = Layouts.padded(length);
        message.asSlice(at + length, padded - length).fill((byte) 0);
        buffers[2 * bufferCount] = bodyBytes;
        buffers[2 * bufferCount + 1] = length;
        bufferCount++;
        bodyBytes += padded;
        return message.asSlice(at, length);
    }

    private static void copy(
            Physical physical, MemorySegment[] from, int[] fromSources, int[] places, int count, MemorySegment to) {
        switch (physical) {
            case BIT -> {
                to.fill((byte) 0);
                for (int i = 0; i < count; i++) {
                    if (Bitmap.get(from[fromSources[i]], places[i])) {
                        Bitmap.set(to, i);
                    }
                }
            }
            case INT8 -> {
                for (int i = 0; i < count; i++) {
                    to.set(Layouts.BYTE, i, from[fromSources[i]].get(Layouts.BYTE, places[i]));
                }
            }
            case INT16 -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(Layouts.SHORT, i, from[fromSources[i]].getAtIndex(Layouts.SHORT, places[i]));
                }
            }
            case INT32, FLOAT32, HANDLE -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(Layouts.INT, i, from[fromSources[i]].getAtIndex(Layouts.INT, places[i]));
                }
            }
            case INT64, FLOAT64 -> {
                for (int i = 0; i < count; i++) {
                    to.setAtIndex(Layouts.LONG, i, from[fromSources[i]].getAtIndex(Layouts.LONG, places[i]));
                }
            }
            case INT128, VIEW, LIST, MAP, STRUCT, NONE -> throw new AssertionError(physical);
        }
    }

    private void copyWide(Column[] from, int[] fromSources, int[] places, int count, MemorySegment to) {
        MemorySegment[] values = values(from);
        for (int i = 0; i < count; i++) {
            int source = fromSources[i];
            if (from[source].physical() == Physical.INT64) {
                long value = values[source].getAtIndex(Layouts.LONG, places[i]);
                to.set(Layouts.LONG, 16L * i, value);
                to.set(Layouts.LONG, 16L * i + 8, value >> 63);
            } else {
                to.set(Layouts.LONG, 16L * i, values[source].get(Layouts.LONG, 16L * places[i]));
                to.set(Layouts.LONG, 16L * i + 8, values[source].get(Layouts.LONG, 16L * places[i] + 8));
            }
        }
    }

    /// Writes views, then their long strings one after the other as the one variadic buffer.
    private void views(Column[] from, int[] fromSources, int[] places, int count, MemorySegment validity) {
        MemorySegment[] values = values(from);
        MemorySegment to = buffer((long) VIEW_BYTES * count);
        long heapAt = metadataBytes + bodyBytes;
        int used = 0;
        for (int i = 0; i < count; i++) {
            long at = (long) VIEW_BYTES * i;
            if (validity != null && !Bitmap.get(validity, i)) {
                to.set(Layouts.LONG, at, 0);
                to.set(Layouts.LONG, at + 8, 0);
                continue;
            }
            int source = fromSources[i];
            long view = (long) VIEW_BYTES * places[i];
            long head = values[source].get(Layouts.LONG, view);
            long tail = values[source].get(Layouts.LONG, view + 8);
            to.set(Layouts.LONG, at, head);
            int length = (int) head;
            if (length > INLINE_BYTES) {
                MemorySegment slab = from[source].slabs()[(int) tail];
                MemorySegment.copy(slab, tail >>> 32, message, heapAt + used, length);
                tail = (long) used << 32; // in buffer 0
                used = Math.addExact(used, length);
            }
            to.set(Layouts.LONG, at + 8, tail);
        }
        variadicCounts[viewCount++] = 1;
        buffer(used);
    }

    /// Writes the offsets of lists or maps, then their elements.
    private void children(
            DataType type, Column[] from, int[] fromSources, int[] places, int count, MemorySegment validity) {
        MemorySegment[] values = values(from);
        MemorySegment offsets = buffer(Integer.BYTES * (count + 1L));
        offsets.setAtIndex(Layouts.INT, 0, 0);
        int total = 0;
        for (int i = 0; i < count; i++) {
            if (validity == null || Bitmap.get(validity, i)) {
                MemorySegment own = values[fromSources[i]];
                total = Math.addExact(
                        total, own.getAtIndex(Layouts.INT, places[i] + 1L) - own.getAtIndex(Layouts.INT, places[i]));
            }
            offsets.setAtIndex(Layouts.INT, i + 1, total);
        }
        int[] childSources = new int[total];
        int[] childRows = new int[total];
        int at = 0;
        for (int i = 0; i < count; i++) {
            int end = offsets.getAtIndex(Layouts.INT, i + 1);
            int row = at == end ? 0 : values[fromSources[i]].getAtIndex(Layouts.INT, places[i]);
            while (at < end) {
                childSources[at] = fromSources[i];
                childRows[at++] = row++;
            }
        }
        if (type.physical() == Physical.MAP) { // an Arrow map is a list of structures of key and value
            nodes[2 * nodeCount] = total;
            nodes[2 * nodeCount + 1] = 0;
            nodeCount++;
            buffer(0);
        }
        List<DataType> elements = childTypes(type);
        for (int e = 0; e < elements.size(); e++) {
            column(elements.get(e), childrenOf(from, e), childSources, childRows, total);
        }
    }
}
