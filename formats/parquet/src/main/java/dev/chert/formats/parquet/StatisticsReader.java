package dev.chert.formats.parquet;

import dev.chert.batch.ScalarType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.format.Statistics;

/// Reads the statistics of a column chunk and decides what can be trusted.
///
/// `min_value` and `max_value` have a meaning where the file says that the column has the order of its type. The
/// older
/// `min` and `max` were made by comparing signed, whatever the type: they count for signed numbers alone, and
/// never for bytes (PARQUET-251 made wrong ones, too). INT96 has no order. Floating point bounds leave out NaN,
/// which this engine sorts above all, so their maximum is a maximum of the rest only; a bound that is NaN itself
/// says nothing. Source: parquet.thrift, `Statistics` and `ColumnOrder`.
final class StatisticsReader {
    private StatisticsReader() {}

    /// @param typeOrder whether the file says that the column's order is that of its type
    /// @param numValues values of the chunk, against which counts are checked
    static ChunkStatistics read(ParquetColumn column, Statistics statistics, boolean typeOrder, long numValues) {
        if (statistics == null || column.form() == null) {
            return ChunkStatistics.UNKNOWN;
        }
        long nullCount = countOrUnknown(statistics.isSetNull_count(), statistics.getNull_count(), numValues);
        long distinctCount =
                countOrUnknown(statistics.isSetDistinct_count(), statistics.getDistinct_count(), numValues);
        Comparable<?> minimum = null;
        Comparable<?> maximum = null;
        boolean exact = false;
        if (statistics.isSetMin_value() && statistics.isSetMax_value() && (typeOrder || isSigned(column.form()))) {
            minimum = bound(column, statistics.getMin_value());
            maximum = bound(column, statistics.getMax_value());
            exact = statistics.isSetIs_min_value_exact() && statistics.isSetIs_max_value_exact()
                    ? statistics.isIs_min_value_exact() && statistics.isIs_max_value_exact()
                    : !(minimum instanceof Bytes);
        } else if (statistics.isSetMin() && statistics.isSetMax() && isSigned(column.form())) {
            minimum = bound(column, statistics.getMin());
            maximum = bound(column, statistics.getMax());
            exact = true;
        }
        if (minimum == null || maximum == null || compare(minimum, maximum) > 0) {
            return new ChunkStatistics(null, null, false, nullCount, distinctCount);
        }
        return new ChunkStatistics(minimum, maximum, exact, nullCount, distinctCount);
    }

    private static long countOrUnknown(boolean isSet, long count, long numValues) {
        return isSet && count >= 0 && count <= numValues ? count : -1;
    }

    /// Compares two bounds of one column.
    @SuppressWarnings("unchecked")
    static int compare(Comparable<?> a, Comparable<?> b) {
        return ((Comparable<Object>) a).compareTo(b);
    }

    /// True where a signed comparison of the stored values is the order of the type.
    private static boolean isSigned(ValueForm form) {
        return switch (form) {
            case TIME_MILLIS,
                    TIME_MICROS,
                    TIME_NANOS,
                    BOOLEAN,
                    INT32_AS_INT8,
                    INT32_AS_INT16,
                    INT32,
                    INT32_AS_INT64,
                    INT64,
                    INT64_AS_INT128,
                    FLOAT,
                    DOUBLE -> true;
            case UINT8_AS_INT16,
                    UINT16_AS_INT32,
                    UINT32_AS_INT64,
                    UINT64_AS_INT128,
                    INT96_AS_MICROS,
                    FLOAT16,
                    UUID,
                    FIXED_DECIMAL_AS_INT64,
                    FIXED_DECIMAL_AS_INT128,
                    FIXED_BYTES,
                    DECIMAL_AS_INT64,
                    DECIMAL_AS_INT128,
                    BYTES,
                    STRING -> false;
        };
    }

    /// A bound as a value, or null where its bytes are none.
    private static Comparable<?> bound(ParquetColumn column, byte[] bytes) {
        int width = column.form().plainBytes(column.typeLength());
        if (width > 0 && bytes.length != width) {
            return null;
        }
        ByteBuffer value = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return switch (column.form()) {
            case BOOLEAN -> bytes.length == 1 ? bytes[0] != 0 : null;
            case INT32_AS_INT8, INT32_AS_INT16, INT32 -> (long) value.getInt();
            case UINT8_AS_INT16, UINT16_AS_INT32, UINT32_AS_INT64 -> Integer.toUnsignedLong(value.getInt());
            case INT32_AS_INT64 -> number(column, BigInteger.valueOf(value.getInt()));
            case INT64, INT64_AS_INT128 -> number(column, BigInteger.valueOf(value.getLong()));
            case UINT64_AS_INT128 -> new BigDecimal(Long.toUnsignedString(value.getLong()));
            case TIME_MILLIS -> time(value.getInt(), 86_400_000L);
            case TIME_MICROS -> time(value.getLong(), 86_400_000_000L);
            case TIME_NANOS -> time(value.getLong(), 86_400_000_000_000L);
            case INT96_AS_MICROS -> null;
            case FLOAT16 -> floating(Float.float16ToFloat(value.getShort()));
            case FLOAT -> floating(value.getFloat());
            case DOUBLE -> floating(value.getDouble());
            case FIXED_DECIMAL_AS_INT64, FIXED_DECIMAL_AS_INT128, DECIMAL_AS_INT64, DECIMAL_AS_INT128 ->
                bytes.length == 0 ? null : number(column, new BigInteger(bytes));
            case UUID, FIXED_BYTES, BYTES, STRING -> new Bytes(bytes);
        };
    }

    private static Comparable<?> number(ParquetColumn column, BigInteger value) {
        return switch (((ScalarType) column.type()).kind()) {
            case DECIMAL -> new BigDecimal(value, ((ScalarType) column.type()).scale());
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_DAY_TIME,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    ARRAY,
                    MAP,
                    ROW,
                    NULL,
                    OPAQUE -> value.longValue();
        };
    }

    /// Times outside the day are turned into it when they are read, and so have no bounds.
    private static Comparable<?> time(long value, long unitsADay) {
        return value < 0 || value >= unitsADay ? null : value;
    }

    /// -0.0 and 0.0 are equal to this engine, but not to Double; so neither leaves here but 0.0.
    private static Comparable<?> floating(double value) {
        return Double.isNaN(value) ? null : value + 0.0;
    }
}
