package dev.chert.memory;

import java.util.Map;
import java.util.TreeMap;

/// Which stretches of a file are free. Knows nothing of files. Not thread-safe.
final class FileSpace {
    /// First byte to length, of the holes before [#end]; no two touch, none touches the end.
    private final TreeMap<Long, Long> holes = new TreeMap<>();

    private long end;

    /// First byte after the last that is in use.
    long end() {
        return end;
    }

    /// Takes the first hole that is long enough, else extends the file.
    /// @return the first byte
    long take(long bytes) {
        for (Map.Entry<Long, Long> hole : holes.entrySet()) {
            long length = hole.getValue();
            if (length >= bytes) {
                long offset = hole.getKey();
                holes.remove(offset);
                if (length > bytes) {
                    holes.put(offset + bytes, length - bytes);
                }
                return offset;
            }
        }
        long offset = end;
        end += bytes;
        return offset;
    }

    /// Gives a stretch back, or a part of one.
    void give(long offset, long bytes) {
        if (bytes == 0) {
            return;
        }
        long first = offset;
        long past = offset + bytes;
        Map.Entry<Long, Long> before = holes.lowerEntry(offset);
        assert before == null || before.getKey() + before.getValue() <= offset : "byte " + offset + " is free already";
        if (before != null && before.getKey() + before.getValue() == offset) {
            first = before.getKey();
            holes.remove(first);
        }
        Long after = holes.remove(past);
        if (after != null) {
            past += after;
        }
        assert past <= end : "byte " + past + " lies past the end, " + end;
        if (past == end) {
            end = first;
        } else {
            holes.put(first, past - first);
        }
    }
}
