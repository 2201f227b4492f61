package dev.chert.arrow;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.TypeKind;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Makes batches of Arrow IPC record batch messages, in place: the columns are slices of the message.
///
/// Every count, length, offset and place is checked before a column is made, so that loops over it need no checks;
/// values themselves are taken as they are. Not thread-safe.
public final class RecordBatchDecoder {
    private static final int INLINE_BYTES = 12;
    private static final int VIEW_BYTES = 16;

    private final List<DataType> types;
    private final Allocator allocator;
    private final String file;

    private Buffer message;
    private MemorySegment body;
    private RecordBatchMetadata metadata;
    private MessagePlace place;
    private int node;
    private int buffer;
    private int viewColumn;

    /// @param types     of the columns, which the message itself does not tell
    /// @param allocator from whose account the messages' buffers come
    /// @param file      how errors name where the messages come from
    public RecordBatchDecoder(List<DataType> types, Allocator allocator, String file) {
        this.types = List.copyOf(types);
        this.allocator = allocator;
        this.file = file;
    }

    /// Makes a batch of a message.
    ///
    /// @param messageBuffer given: the batch's memory; the places in its views are overwritten
    /// @param offset        where in the file the message lies, for errors
    /// @return              the caller's; all its rows are selected, its columns are flat
    /// @throws dev.chert.error.CorruptFileException if the message is not what its metadata or `types` say
    public Batch decode(Buffer messageBuffer, long offset) {
        message = messageBuffer;
        place = new MessagePlace(file, offset);
        metadata = RecordBatchMetadata.read(message.segment(), place);
        body = message.segment().asSlice(metadata.bodyOffset(), metadata.bodyBytes());
        node = 0;
        buffer = 0;
        viewColumn = 0;
        if (metadata.rowCount() < 0 || metadata.rowCount() > Integer.MAX_VALUE) {
            throw place.corrupt("a batch of %d rows", metadata.rowCount());
        }
        int rows = (int) metadata.rowCount();
        List<Column> columns = new ArrayList<>();
        for (DataType type : types) {
            columns.add(column(type, rows));
        }
        if (node != metadata.nodeCount() || buffer != metadata.bufferCount()) {
            throw place.corrupt(
                    "%d nodes and %d buffers, the columns need %d and %d",
                    metadata.nodeCount(), metadata.bufferCount(), node, buffer);
        }
        message.release();
        return new Batch(columns.toArray(Column[]::new), rows);
    }

    /// @param leastRows what the parent needs: all of a batch's rows, of a structure's, or those that a list's
    ///                  offsets name
    private Column column(DataType type, int leastRows) {
        int own = nextNode(type, leastRows);
        int rows = (int) metadata.nodeRows(own);
        Physical physical = type.physical();
        if (physical == Physical.NONE) {
            return Column.flat(type, physical, rows, null, null, null, null);
        }
        MemorySegment validity = validity(type, rows, metadata.nodeNulls(own));
        return switch (physical) {
            case BIT, INT8, INT16, INT32, FLOAT32, FLOAT64, HANDLE ->
                sealed(type, physical, rows, nextBuffer(type, physical.bytesFor(rows)), validity, null, null);
            case INT64, INT128 -> {
                Physical width = width(type, rows);
                yield sealed(type, width, rows, nextBuffer(type, width.bytesFor(rows)), validity, null, null);
            }
            case VIEW -> views(type, rows, validity);
            case LIST, MAP -> {
                MemorySegment offsets = nextBuffer(type, rows == 0 ? 0 : physical.bytesFor(rows));
                int end = rows == 0 ? 0 : endOf(type, offsets, rows); // Arrow lets no rows go without an offset
                yield sealed(type, physical, rows, offsets, validity, elements(type, end), null);
            }
            case STRUCT -> {
                List<Column> fields = new ArrayList<>();
                for (DataType field : RecordBatchEncoder.childTypes(type)) {
                    fields.add(column(field, rows));
                }
                yield sealed(type, physical, rows, null, validity, fields, null);
            }
            case NONE -> throw new AssertionError(type);
        };
    }

    private int nextNode(DataType type, long leastRows) {
        if (node == metadata.nodeCount()) {
            throw place.corrupt("%d nodes, a column of type %s needs one more", node, type);
        }
        long rows = metadata.nodeRows(node);
        if (rows < leastRows || rows > Integer.MAX_VALUE - 1) {
            throw place.corrupt("node %d of type %s has %d rows, expected %d", node, type, rows, leastRows);
        }
        return node++;
    }

    /// The next buffer, with its padding where the body has it.
    private MemorySegment nextBuffer(DataType type, long leastBytes) {
        if (buffer == metadata.bufferCount()) {
            throw place.corrupt("%d buffers, a column of type %s needs one more", buffer, type);
        }
        long offset = metadata.bufferOffset(buffer);
        long length = metadata.bufferBytes(buffer);
        long room = body.byteSize() - offset;
        if (offset < 0 || length < 0 || length > room) {
            throw place.corrupt(
                    "buffer %d lies at byte %d to %d of a body of %d",
                    buffer, offset, offset + length, body.byteSize());
        }
        if (length < leastBytes) {
            throw place.corrupt("buffer %d of type %s has %d bytes, needs %d", buffer, type, length, leastBytes);
        }
        buffer++;
        return body.asSlice(offset, Math.min(room, Layouts.padded(length)));
    }

    private MemorySegment validity(DataType type, int rows, long nulls) {
        if (nulls < 0 || nulls > rows) {
            throw place.corrupt("%d of %d rows of type %s are NULL", nulls, rows, type);
        }
        MemorySegment bits = nextBuffer(type, nulls == 0 ? 0 : Physical.BIT.bytesFor(rows));
        return nulls == 0 ? null : bits;
    }

    /// Tells by its length whether a DECIMAL is 64 or 128 bits wide.
    private Physical width(DataType type, int rows) {
        if (type.kind() != TypeKind.DECIMAL) {
            return type.physical();
        }
        boolean wide = buffer < metadata.bufferCount()
                && metadata.bufferBytes(buffer) >= Physical.INT128.bytesFor(rows)
                && (rows > 0 || type.physical() == Physical.INT128);
        return wide ? Physical.INT128 : Physical.INT64;
    }

    private Column views(DataType type, int rows, MemorySegment validity) {
        MemorySegment views = nextBuffer(type, Physical.VIEW.bytesFor(rows));
        if (viewColumn == metadata.variadicColumns()) {
            throw place.corrupt("%d variadic buffer counts, a column of type %s needs one more", viewColumn, type);
        }
        long variadic = metadata.variadicCount(viewColumn++);
        int first = buffer;
        if (variadic < 0 || variadic > metadata.bufferCount() - first) {
            throw place.corrupt("%d variadic buffers of %d", variadic, metadata.bufferCount() - first);
        }
        for (int i = 0; i < variadic; i++) {
            nextBuffer(type, 0);
        }
        for (int row = 0; row < rows; row++) {
            long at = (long) VIEW_BYTES * row;
            if (validity != null && !Bitmap.get(validity, row)) {
                views.set(Layouts.LONG, at, 0);
                views.set(Layouts.LONG, at + 8, 0);
                continue;
            }
            int length = views.get(Layouts.INT, at);
            if (length < 0) {
                throw place.corrupt("row %d of type %s has a length of %d", row, type, length);
            }
            if (length > INLINE_BYTES) {
                toSlab(type, views, at, length, first, (int) variadic);
            }
        }
        return sealed(
                type,
                Physical.VIEW,
                rows,
                views,
                validity,
                null,
                allocator.account().manager().slabs());
    }

    /// Replaces a view's buffer and offset by slab and offset.
    private void toSlab(DataType type, MemorySegment views, long at, int length, int first, int variadic) {
        int index = views.get(Layouts.INT, at + 8);
        int offset = views.get(Layouts.INT, at + 12);
        if (index < 0 || index >= variadic) {
            throw place.corrupt("a view of type %s names variadic buffer %d of %d", type, index, variadic);
        }
        if (offset < 0 || offset + (long) length > metadata.bufferBytes(first + index)) {
            throw place.corrupt(
                    "a view of type %s names bytes %d to %d of %d",
                    type, offset, offset + (long) length, metadata.bufferBytes(first + index));
        }
        long inMessage = metadata.bodyOffset() + metadata.bufferOffset(first + index) + offset;
        views.set(Layouts.INT, at + 8, message.slab());
        views.set(Layouts.INT, at + 12, (int) (message.slabOffset() + inMessage));
    }

    /// Checks offsets.
    ///
    /// @return how many elements they name
    private int endOf(DataType type, MemorySegment offsets, int rows) {
        int last = offsets.getAtIndex(Layouts.INT, 0);
        if (last < 0) {
            throw place.corrupt("the offsets of type %s begin at %d", type, last);
        }
        for (int row = 1; row <= rows; row++) {
            int next = offsets.getAtIndex(Layouts.INT, row);
            if (next < last) {
                throw place.corrupt("offset %d of type %s is %d, after %d", row, type, next, last);
            }
            last = next;
        }
        return last;
    }

    private List<Column> elements(DataType type, int count) {
        int rows = count;
        if (type.physical() == Physical.MAP) {
            int entries = nextNode(type, count);
            rows = (int) metadata.nodeRows(entries);
            if (validity(type, rows, metadata.nodeNulls(entries)) != null) {
                throw place.corrupt("an entry of type %s is NULL", type);
            }
        }
        List<Column> elements = new ArrayList<>();
        for (DataType element : RecordBatchEncoder.childTypes(type)) {
            elements.add(column(element, rows));
        }
        return elements;
    }

    private Column sealed(
            DataType type,
            Physical physical,
            int rows,
            MemorySegment values,
            MemorySegment validity,
            List<Column> children,
            MemorySegment[] slabs) {
        message.retain();
        return Column.flat(
                type,
                physical,
                rows,
                values,
                validity,
                children == null ? null : children.toArray(Column[]::new),
                slabs,
                message);
    }
}
