package dev.chert.formats.parquet;

import dev.chert.error.QueryCancelledException;
import dev.chert.source.FileSystem;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Keeps the metadata of files that were read lately, by file system, path, size and time of change.
///
/// Bounded by the bytes that the metadata take in their files, a sixteenth of the Java heap and 64 MiB at most;
/// records on the heap take less than twice as much. Two threads that want the same footer at once may both read
/// it.
final class FooterCache {
    private static final long MOST_BYTES =
            Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 16);

    private static final FooterCache SHARED = new FooterCache();

    private final Map<Key, Footer> footers = new LinkedHashMap<>(16, 0.75f, true); // guards itself
    private long bytes;

    private record Key(FileSystem fileSystem, FileSystem.FileEntry entry) {}

    /// The metadata of a file, read at most once while it stays the same.
    /// Interrupting the thread stops a long read.
    ///
    /// @throws QueryCancelledException where the thread was interrupted; it stays so
    static Footer get(FileSystem fileSystem, FileSystem.FileEntry entry) {
        return get(fileSystem, entry, () -> {
            if (Thread.currentThread().isInterrupted()) {
                throw new QueryCancelledException(
                        entry.path() + ": the thread was interrupted while it read the file's metadata");
            }
        });
    }

    /// As [#get(FileSystem, FileSystem.FileEntry)].
    ///
    /// @param checkCancelled throws what ends a long read
    static Footer get(FileSystem fileSystem, FileSystem.FileEntry entry, Runnable checkCancelled) {
        return SHARED.footer(new Key(fileSystem, entry), checkCancelled);
    }

    private Footer footer(Key key, Runnable checkCancelled) {
        synchronized (footers) {
            Footer footer = footers.get(key);
            if (footer != null) {
                return footer;
            }
        }
        Footer footer = FooterReader.read(key.fileSystem(), key.entry(), checkCancelled);
        synchronized (footers) {
            Footer before = footers.put(key, footer);
            bytes += footer.byteSize() - (before == null ? 0 : before.byteSize());
            Iterator<Footer> oldest = footers.values().iterator();
            while (bytes > MOST_BYTES && footers.size() > 1) {
                bytes -= oldest.next().byteSize();
                oldest.remove();
            }
        }
        return footer;
    }
}
