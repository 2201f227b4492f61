package dev.chert.formats.parquet;

/// What the footer says about the values of a column chunk, in a form that can be compared.
///
/// A bound is a Boolean, a Long (integers, days, times), a Double, a BigDecimal or [Bytes], by the column's type;
/// null where the file has none, or none that can be trusted: see [StatisticsReader].
///
/// @param minimum       no value is below it
/// @param maximum       no value is above it, NaN apart
/// @param boundsExact   whether both occur among the values
/// @param nullCount     rows that are NULL, or -1
/// @param distinctCount different values, or -1
record ChunkStatistics(
        Comparable<?> minimum, Comparable<?> maximum, boolean boundsExact, long nullCount, long distinctCount) {
    static final ChunkStatistics UNKNOWN = new ChunkStatistics(null, null, false, -1, -1);
}
