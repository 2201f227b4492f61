package dev.chert.arrow;

import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.reader.FieldReader;

/// Copies ranges of a root's rows into batches.
final class VectorImporter {
    private static final long MILLIS_A_DAY = 86_400_000;

    private final Schema schema;
    private final Allocator allocator;
    private final ArrowBytes bytes = new ArrowBytes();

    /// @param schema the root's, as [ArrowSchemas] reads it
    VectorImporter(Schema schema, Allocator allocator) {
        this.schema = schema;
        this.allocator = allocator;
    }

    /// @param columns numbers of the schema's columns that are wanted
    /// @return the caller's
    Batch read(VectorSchemaRoot root, List<Integer> columns, int from, int count) {
        Column[] read = new Column[columns.size()];
        for (int c = 0; c < read.length; c++) {
            int index = columns.get(c);
            read[c] = read(root.getVector(index), (ScalarType) schema.type(index), from, count);
        }
        return new Batch(read, count);
    }

    private Column read(FieldVector vector, ScalarType type, int from, int count) {
        ColumnWriter writer = new ColumnWriter(type, count, allocator);
        if (writer.physical() == Physical.NONE) {
            return writer.seal(count);
        }
        if (vector.getNullCount() > 0) {
            for (int i = 0; i < count; i++) {
                if (vector.isNull(from + i)) {
                    writer.setNull(i);
                }
            }
        }
        switch (vector) {
            case BaseVariableWidthVector strings -> readStrings(strings, writer, from, count);
            case BaseLargeVariableWidthVector strings -> readObjects(strings, writer, from, count);
            case DateMilliVector dates -> {
                for (int i = 0; i < count; i++) {
                    long millis = dates.getDataBuffer().getLong(8L * (from + i));
                    writer.values().setAtIndex(Layouts.INT, i, (int) Math.floorDiv(millis, MILLIS_A_DAY));
                }
            }
            case Float2Vector halves -> {
                for (int i = 0; i < count; i++) {
                    short half = halves.getDataBuffer().getShort(2L * (from + i));
                    writer.values().setAtIndex(Layouts.FLOAT, i, Float.float16ToFloat(half));
                }
            }
            case FixedSizeBinaryVector binaries -> readObjects(binaries, writer, from, count);
            case BaseFixedWidthVector fixed -> readFixed(fixed, writer, from, count);
            default -> readObjects(vector, writer, from, count);
        }
        return writer.seal(count);
    }

    private void readFixed(BaseFixedWidthVector vector, ColumnWriter writer, int from, int count) {
        MemorySegment values = writer.values();
        ArrowBuf data = vector.getDataBuffer();
        int width = vector.getTypeWidth();
        if (writer.physical() == Physical.BIT) {
            for (int i = 0; i < count; i++) {
                int at = from + i;
                Bitmap.put(values, i, (data.getByte(at >>> 3) >>> (at & 7) & 1) != 0);
            }
        } else if (width == writer.physical().byteWidth()) {
            bytes.copyIn(data, (long) from * width, values, 0, (long) count * width);
        } else {
            for (int i = 0; i < count; i++) {
                widen(data, width, from + i, writer, i);
            }
        }
    }

    /// Unsigned integers, 32-bit TIME, and DECIMAL of 32 and 64 bits: everything whose column is wider than its
    /// vector, or narrower because few digits fit 64 bits.
    private static void widen(ArrowBuf data, int width, int from, ColumnWriter writer, int row) {
        boolean signed = switch (writer.type().kind()) {
            case DECIMAL -> ((ScalarType) writer.type()).precision() != 20 || width != 8;
            case TIME -> true;
            default -> false;
        };
        long low = switch (width) {
            case 1 -> Byte.toUnsignedLong(data.getByte(from));
            case 2 -> Short.toUnsignedLong(data.getShort(2L * from));
            case 4 -> signed ? data.getInt(4L * from) : Integer.toUnsignedLong(data.getInt(4L * from));
            case 8, 16 -> data.getLong((long) width * from);
            default -> throw new AssertionError("vector of " + width + " bytes for " + writer.type());
        };
        MemorySegment values = writer.values();
        switch (writer.physical()) {
            case INT16 -> values.setAtIndex(Layouts.SHORT, row, (short) low);
            case INT32 -> values.setAtIndex(Layouts.INT, row, (int) low);
            case INT64 -> values.setAtIndex(Layouts.LONG, row, low);
            case INT128 -> {
                values.set(Layouts.LONG, 16L * row, low);
                values.set(Layouts.LONG, 16L * row + 8, signed ? low >> 63 : 0);
            }
            case BIT, INT8, FLOAT32, FLOAT64, VIEW, LIST, MAP, STRUCT, NONE, HANDLE ->
                throw new AssertionError(writer.physical());
        }
    }

    /// Copies the range's bytes as one block; long views point into it.
    private void readStrings(BaseVariableWidthVector vector, ColumnWriter writer, int from, int count) {
        ArrowBuf offsets = vector.getOffsetBuffer();
        if (count == 0 || offsets.capacity() == 0) {
            return;
        }
        int start = offsets.getInt(4L * from);
        int end = offsets.getInt(4L * (from + count));
        Buffer block = allocator.allocate(Math.max(1, end - start));
        bytes.copyIn(vector.getDataBuffer(), start, block.segment(), 0, end - start);
        writer.borrow(block);
        block.release();
        int at = start;
        for (int i = 0; i < count; i++) {
            int next = offsets.getInt(4L * (from + i + 1));
            int length = next - at;
            int place = at - start;
            if (length <= 12) {
                writer.putBytes(i, block.segment(), place, length);
            } else {
                writer.putPlace(i, block.segment(), place, length, block.slab(), block.slabOffset() + place);
            }
            at = next;
        }
    }

    /// The rare vectors, a value at a time through arrow-java's own reader.
    private static void readObjects(FieldVector vector, ColumnWriter writer, int from, int count) {
        FieldReader reader = vector.getReader();
        for (int i = 0; i < count; i++) {
            if (vector.isNull(from + i)) {
                continue;
            }
            reader.setPosition(from + i);
            byte[] value =
                    writer.type().kind().isCharacter() ? reader.readText().copyBytes() : reader.readByteArray();
            writer.putBytes(i, value);
        }
    }
}
