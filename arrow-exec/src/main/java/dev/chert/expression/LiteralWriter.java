package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.batch.ScalarType;
import dev.chert.expression.Expression.Literal;
import dev.chert.memory.Allocator;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;

/// Writes literals into columns.
public final class LiteralWriter {
    private LiteralWriter() {}

    /// Makes a constant column of `rowCount` rows; the caller's.
    public static Column constant(Literal literal, int rowCount, Allocator allocator) {
        ColumnWriter writer = new ColumnWriter(literal.type(), physicalOf(literal), 1, allocator);
        put(literal, writer, 0);
        return Column.constant(writer.seal(1), rowCount);
    }

    /// The physical form that holds the literal: 64 bits for a DECIMAL that fits.
    public static Physical physicalOf(Literal literal) {
        if (literal.value() instanceof BigDecimal decimal) {
            return decimal.unscaledValue().bitLength() < Long.SIZE ? Physical.INT64 : Physical.INT128;
        }
        return literal.type().physical();
    }

    /// Writes the literal as the value of `row`.
    ///
    /// @param writer of the literal's type; of a DECIMAL in either form that holds the value
    public static void put(Literal literal, ColumnWriter writer, int row) {
        if (literal.isNull()) {
            if (writer.physical() != Physical.NONE) {
                writer.setNull(row);
                zero(writer, row);
            }
            return;
        }
        Object value = literal.value();
        switch (writer.physical()) {
            case BIT -> writer.putBoolean(row, (Boolean) value);
            case INT8 -> writer.values().set(Layouts.BYTE, row, ((Number) value).byteValue());
            case INT16 -> writer.values().setAtIndex(Layouts.SHORT, row, ((Number) value).shortValue());
            case INT32 -> writer.values().setAtIndex(Layouts.INT, row, ((Number) value).intValue());
            case INT64 ->
                writer.values()
                        .setAtIndex(
                                Layouts.LONG,
                                row,
                                value instanceof BigDecimal decimal
                                        ? unscaled(decimal, literal).longValueExact()
                                        : (Long) value);
            case FLOAT32 -> writer.values().setAtIndex(Layouts.FLOAT, row, ((Number) value).floatValue());
            case FLOAT64 -> writer.values().setAtIndex(Layouts.DOUBLE, row, ((Number) value).doubleValue());
            case INT128 -> {
                if (value instanceof UUID uuid) {
                    putUuid(writer.values(), row, uuid);
                } else {
                    putInt128(writer.values(), row, unscaled((BigDecimal) value, literal));
                }
            }
            case VIEW ->
                writer.putBytes(
                        row,
                        literal.type().kind().isCharacter()
                                ? ((String) value).getBytes(StandardCharsets.UTF_8)
                                : HexFormat.of().parseHex((String) value));
            case LIST, MAP, STRUCT, NONE, HANDLE ->
                throw new IllegalArgumentException("no literal of type " + literal.type());
        }
    }

    private static BigInteger unscaled(BigDecimal value, Literal literal) {
        return value.setScale(((ScalarType) literal.type()).scale()).unscaledValue();
    }

    private static void putInt128(MemorySegment values, int row, BigInteger value) {
        values.set(Layouts.LONG, 16L * row, value.longValue());
        values.set(Layouts.LONG, 16L * row + 8, value.shiftRight(Long.SIZE).longValueExact());
    }

    private static void putUuid(MemorySegment values, int row, UUID uuid) {
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        MemorySegment.copy(bytes, 0, values, Layouts.BYTE, 16L * row, bytes.length);
    }

    /// Readable bytes under a NULL, so that a loop may pass over them.
    private static void zero(ColumnWriter writer, int row) {
        int width = writer.physical().byteWidth();
        if (width > 0) {
            writer.values().asSlice((long) row * width, width).fill((byte) 0);
        }
    }
}
