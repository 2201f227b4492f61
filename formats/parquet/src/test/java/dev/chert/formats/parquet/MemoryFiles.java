package dev.chert.formats.parquet;

import dev.chert.error.CorruptFileException;
import dev.chert.source.FileSystem;
import dev.chert.source.InputFile;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// One file, whatever its name, of bytes in memory. Two of them are never equal, and so share no cached footer.
final class MemoryFiles implements FileSystem {
    private static final long serialVersionUID = 1;

    private final byte[] bytes;

    MemoryFiles(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public List<FileEntry> list(String location) {
        return List.of(new FileEntry(location, bytes.length, 0));
    }

    @Override
    public InputFile open(FileEntry file) {
        return new InputFile() {
            @Override
            public FileEntry entry() {
                return file;
            }

            @Override
            public void read(long position, MemorySegment target) {
                if (position < 0 || target.byteSize() > bytes.length - position) {
                    throw new CorruptFileException(file.path(), "byte " + position, "the file ends before");
                }
                MemorySegment.copy(MemorySegment.ofArray(bytes), position, target, 0, target.byteSize());
            }

            @Override
            public void close() {
                // has nothing to give back
            }
        };
    }
}
