package dev.chert.batch;

/// How the values of a flat column lie in memory.
public enum Physical {
    /// One bit a row, least significant bit first.
    BIT(0),
    INT8(1),
    INT16(2),
    INT32(4),
    INT64(8),
    /// Little-endian two's complement: low half at byte 0, high half at byte 8. UUIDs keep their 16 bytes in text
    /// order.
    INT128(16),
    FLOAT32(4),
    FLOAT64(8),
    /// 16-byte views of strings and byte strings; see the package description.
    VIEW(16),
    /// 32-bit offsets, one more than rows, into one child.
    LIST(4),
    /// 32-bit offsets, one more than rows, into a key child and a value child.
    MAP(4),
    /// No values of its own; a child a field.
    STRUCT(0),
    /// No values at all: every row is NULL.
    NONE(0),
    /// A 32-bit index into a table of Java objects.
    HANDLE(4);

    private final int byteWidth;

    Physical(int byteWidth) {
        this.byteWidth = byteWidth;
    }

    /// Bytes a row, or 0 for [#BIT], [#STRUCT] and [#NONE].
    public int byteWidth() {
        return byteWidth;
    }

    /// Bytes that `rows` values need, without padding; offsets count one more than rows.
    public long bytesFor(int rows) {
        return switch (this) {
            case BIT -> (rows + 7L) >>> 3;
            case LIST, MAP -> (rows + 1L) * byteWidth;
            case INT8, INT16, INT32, INT64, INT128, FLOAT32, FLOAT64, VIEW, STRUCT, NONE, HANDLE ->
                (long) rows * byteWidth;
        };
    }
}
