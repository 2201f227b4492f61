package dev.chert.formats.parquet;

import dev.chert.source.FileSystem;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Keeps the metadata of files that were read lately, by file system, path, size and time of change.
///
/// Bounded by the bytes that the metadata take in their files; records on the heap take a few times as much. Two
/// threads that want the same footer at once may both read it.
final class FooterCache {
    private static final long MOST_BYTES = 16 << 20;

    private static final FooterCache SHARED = new FooterCache();

    private final Map<Key, Footer> footers = new LinkedHashMap<>(16, 0.75f, true); // guards itself
    private long bytes;

    private record Key(FileSystem fileSystem, FileSystem.FileEntry entry) {}

    /// The metadata of a file, read at most once while it stays the same.
    static Footer get(FileSystem fileSystem, FileSystem.FileEntry entry) {
        return SHARED.footer(new Key(fileSystem, entry));
    }

    private Footer footer(Key key) {
        synchronized (footers) {
            Footer footer = footers.get(key);
            if (footer != null) {
                return footer;
            }
        }
        Footer footer = FooterReader.read(key.fileSystem(), key.entry());
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
