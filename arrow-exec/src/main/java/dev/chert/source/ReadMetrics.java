package dev.chert.source;

/// What a reader has read so far, for EXPLAIN ANALYZE and tests.
///
/// @param pages pages (or stripes' streams, or blocks: the format's unit below the split) whose values were read
/// @param bytes bytes read from the file for values, metadata apart
public record ReadMetrics(long pages, long bytes) {
    public static final ReadMetrics NONE = new ReadMetrics(0, 0);

    /// Both together.
    public ReadMetrics plus(ReadMetrics other) {
        return new ReadMetrics(pages + other.pages, bytes + other.bytes);
    }
}
