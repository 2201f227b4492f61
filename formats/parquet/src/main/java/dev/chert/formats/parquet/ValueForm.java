package dev.chert.formats.parquet;

import dev.chert.batch.Physical;

/// How a value lies in a PLAIN page, and what it becomes in a column.
enum ValueForm {
    /// One bit.
    BOOLEAN(Physical.BIT, 0),
    INT32_AS_INT8(Physical.INT8, 4),
    INT32_AS_INT16(Physical.INT16, 4),
    UINT8_AS_INT16(Physical.INT16, 4),
    UINT16_AS_INT32(Physical.INT32, 4),
    UINT32_AS_INT64(Physical.INT64, 4),
    INT32(Physical.INT32, 4),
    INT32_AS_INT64(Physical.INT64, 4),
    INT64(Physical.INT64, 8),
    INT64_AS_INT128(Physical.INT128, 8),
    UINT64_AS_INT128(Physical.INT128, 8),
    /// Milliseconds of a day.
    TIME_MILLIS(Physical.INT64, 4),
    /// Microseconds of a day.
    TIME_MICROS(Physical.INT64, 8),
    /// Nanoseconds of a day.
    TIME_NANOS(Physical.INT64, 8),
    /// Nanoseconds of a day, then a Julian day. Microseconds are kept: nanoseconds would end in 2262, and writers
    /// mark "for ever" by the year 9999.
    INT96_AS_MICROS(Physical.INT64, 12),
    FLOAT16(Physical.FLOAT32, 2),
    FLOAT(Physical.FLOAT32, 4),
    DOUBLE(Physical.FLOAT64, 8),
    UUID(Physical.INT128, 16),
    /// Big-endian two's complement in as many bytes as the type's length says.
    FIXED_DECIMAL_AS_INT64(Physical.INT64, -1),
    FIXED_DECIMAL_AS_INT128(Physical.INT128, -1),
    FIXED_BYTES(Physical.VIEW, -1),
    /// A length of 4 bytes, then big-endian two's complement.
    DECIMAL_AS_INT64(Physical.INT64, 0),
    DECIMAL_AS_INT128(Physical.INT128, 0),
    /// A length of 4 bytes, then the bytes.
    BYTES(Physical.VIEW, 0),
    /// As [#BYTES], and they are UTF-8.
    STRING(Physical.VIEW, 0);

    private final Physical physical;
    private final int bytes;

    ValueForm(Physical physical, int bytes) {
        this.physical = physical;
        this.bytes = bytes;
    }

    /// What a column of such values is made of.
    Physical physical() {
        return physical;
    }

    /// Bytes of a PLAIN value, or 0 where they vary or are a bit.
    ///
    /// @param typeLength length of a FIXED_LEN_BYTE_ARRAY
    int plainBytes(int typeLength) {
        return bytes < 0 ? typeLength : bytes;
    }

    /// True where a PLAIN value is the column's value, bit for bit, so that a page can be a column.
    boolean isPlainColumn() {
        return switch (this) {
            case INT32, INT64, FLOAT, DOUBLE, UUID -> true;
            case BOOLEAN,
                    INT32_AS_INT8,
                    INT32_AS_INT16,
                    UINT8_AS_INT16,
                    UINT16_AS_INT32,
                    UINT32_AS_INT64,
                    INT32_AS_INT64,
                    INT64_AS_INT128,
                    UINT64_AS_INT128,
                    TIME_MILLIS,
                    TIME_MICROS,
                    TIME_NANOS,
                    INT96_AS_MICROS,
                    FLOAT16,
                    FIXED_DECIMAL_AS_INT64,
                    FIXED_DECIMAL_AS_INT128,
                    FIXED_BYTES,
                    DECIMAL_AS_INT64,
                    DECIMAL_AS_INT128,
                    BYTES,
                    STRING -> false;
        };
    }
}
