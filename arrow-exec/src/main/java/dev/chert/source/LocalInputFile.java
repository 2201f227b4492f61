package dev.chert.source;

import dev.chert.error.CorruptFileException;
import dev.chert.error.ResourceException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A local file, read at any place by any number of threads.
///
/// Java closes a file channel when a thread that reads it is interrupted. Other readers must not suffer: the
/// channel is opened again, the read repeated, and the interrupted thread stays interrupted.
final class LocalInputFile implements InputFile {
    /// What one call of the channel is asked for at most: a byte buffer has an int length.
    private static final long MOST_BYTES = 1 << 30;

    private final FileSystem.FileEntry entry;
    private final Path path;
    private volatile FileChannel channel;
    private boolean closed; // guarded by this

    LocalInputFile(FileSystem.FileEntry entry, Path path) throws IOException {
        this.entry = entry;
        this.path = path;
        this.channel = LocalFileSystem.openChannel(entry.path(), path);
    }

    @Override
    public FileSystem.FileEntry entry() {
        return entry;
    }

    @Override
    public void read(long position, MemorySegment target) {
        boolean interrupted = false;
        long done = 0;
        try {
            while (done < target.byteSize()) {
                FileChannel current = channel;
                try {
                    long bytes = Math.min(target.byteSize() - done, MOST_BYTES);
                    ByteBuffer buffer = target.asSlice(done, bytes).asByteBuffer();
                    int read = current.read(buffer, position + done);
                    if (read < 0) {
                        throw new CorruptFileException(
                                entry.path(),
                                "byte " + (position + done),
                                "the file ends here, " + (target.byteSize() - done)
                                        + " bytes more were expected; it is cut off or was changed meanwhile");
                    }
                    done += read;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted(); // or the next read would be interrupted, too
                    reopen(current);
                } catch (ClosedChannelException e) {
                    reopen(current);
                }
            }
        } catch (IOException e) {
            throw new ResourceException(entry.path() + ", byte " + (position + done) + ": cannot be read: " + e, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(FileChannel broken) throws IOException {
        if (closed) {
            throw new IllegalStateException(entry.path() + " was closed while it was read");
        }
        if (channel == broken) {
            channel = LocalFileSystem.openChannel(entry.path(), path);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            throw new ResourceException(entry.path() + ": cannot be closed: " + e, e);
        }
    }
}
