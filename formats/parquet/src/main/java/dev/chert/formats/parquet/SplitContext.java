package dev.chert.formats.parquet;

import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;

/// What the readers of a split's column chunks share. For one thread at a time, as they are.
///
/// @param keepDictionaries false: every column is flat
/// @param windowBytes      what each reads ahead, at most
record SplitContext(
        QueryContext query,
        Allocator allocator,
        PageDecompressor decompressor,
        ScratchCodes scratchCodes,
        boolean keepDictionaries,
        long windowBytes)
        implements AutoCloseable {
    /// All windows of a split together; half of it is enough to keep a disk busy.
    private static final long READ_AHEAD_BYTES = 8 << 20;

    private static final long MOST_WINDOW_BYTES = 2 << 20;
    /// Smaller reads cost more than the bytes that they bring.
    private static final long LEAST_WINDOW_BYTES = 64 << 10;

    static SplitContext of(QueryContext query, Allocator allocator, int columns) {
        long share = READ_AHEAD_BYTES / Math.max(1, columns);
        return new SplitContext(
                query,
                allocator,
                new PageDecompressor(query),
                new ScratchCodes(allocator, query.batchSize()),
                query.settings().get(Settings.DICTIONARIES),
                Math.clamp(share, LEAST_WINDOW_BYTES, MOST_WINDOW_BYTES));
    }

    /// Whether memory is so short that nothing is read before it is needed.
    boolean isTight() {
        return allocator.budget().isTight();
    }

    /// Gives back what the readers shared; a second call does nothing.
    @Override
    public void close() {
        scratchCodes.close();
        decompressor.close();
    }
}
