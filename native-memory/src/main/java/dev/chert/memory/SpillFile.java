package dev.chert.memory;

import dev.chert.error.ResourceException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/// Blocks of one operator on disk: written once, read back in any order.
///
/// ```
/// block   | piece | piece | ... | last piece |
/// piece   | stored bytes, 4 | bytes, 4 | checksum, 4 | 0, 4 | LZ4, or the bytes as they are where that is not longer |
/// ```
///
/// A piece holds at most 240 KiB, so that the room in which it is compressed is constant, and one is in memory at a
/// time. Its checksum (CRC-32C) covers the first two numbers, its place in the file and what is stored: a damaged file
/// is an error and never a wrong row. The file is opened by the first write; holes of freed blocks are used again.
/// Thread-safe. Belongs to its account, which closes it.
public final class SpillFile {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final int HEADER_BYTES = 16;

    private final String operator;
    private final SpillFolder folder;
    private final SpillScratch scratch;
    private final int pieceBytes;
    private final AtomicLong writtenBytes = new AtomicLong();
    private final AtomicLong readBytes = new AtomicLong();
    private final AtomicLong storedBytes = new AtomicLong();
    private final AtomicLong peakStoredBytes = new AtomicLong();
    private final FileSpace space = new FileSpace(); // guards itself and the two below
    private FileChannel channel;
    private boolean closed;

    /// @throws ResourceException if there is no room for the engine's scratch
    SpillFile(String operator, SpillFolder folder, SpillScratch scratch) {
        this.operator = operator;
        this.folder = folder;
        this.scratch = scratch;
        this.pieceBytes = scratch.placeBytes() - scratch.placeBytes() / 16;
        scratch.open();
    }

    /// Bytes that were given to [#write] so far.
    public long writtenBytes() {
        return writtenBytes.get();
    }

    /// Bytes that [#read] gave back so far.
    public long readBytes() {
        return readBytes.get();
    }

    /// Bytes that the blocks take now, as `spill.limit` counts them: compressed, with headers.
    public long storedBytes() {
        return storedBytes.get();
    }

    /// The most bytes that the blocks ever took at the same time.
    public long peakStoredBytes() {
        return peakStoredBytes.get();
    }

    /// Writes a block.
    /// @param bytes any number of bytes, borrowed; native memory
    /// @throws ResourceException     if `spill.limit` or the disk has no room, or the disk fails; nothing of the block
    ///     stays then
    /// @throws IllegalStateException if the query is closed
    public SpillBlock write(MemorySegment bytes) {
        FileChannel file;
        synchronized (space) {
            file = openChannel();
        }
        long pieces = Math.ceilDiv(bytes.byteSize(), pieceBytes);
        long offset = 0;
        long taken = 0;
        long counted = 0;
        long stored = 0;
        SpillScratch.Place place = scratch.take();
        try {
            for (long from = 0; from < bytes.byteSize(); from += pieceBytes) {
                long length = Math.min(pieceBytes, bytes.byteSize() - from);
                int size = pack(bytes.asSlice(from, length), place);
                if (from == 0) {
                    taken = pieces == 1 ? size : bytes.byteSize() + pieces * HEADER_BYTES; // none is longer than itself
                    offset = take(taken);
                }
                seal(place, offset + counted);
                reserve(size);
                counted += size;
                writeFully(file, place.segment().asSlice(0, size), offset + counted - size);
            }
            stored = counted;
        } finally {
            scratch.give(place);
            giveBack(offset + stored, taken - stored, counted - stored);
        }
        writtenBytes.addAndGet(bytes.byteSize());
        return new SpillBlock(offset, stored, bytes.byteSize());
    }

    /// Reads a block.
    /// @param into exactly as many bytes as the block has; native memory
    /// @throws ResourceException     if the disk fails or the file was damaged
    /// @throws IllegalStateException if the query is closed
    public void read(SpillBlock block, MemorySegment into) {
        if (into.byteSize() != block.bytes()) {
            throw new IllegalArgumentException(
                    "a block of " + block.bytes() + " bytes is to be read into " + into.byteSize());
        }
        FileChannel file;
        synchronized (space) {
            file = openChannel();
        }
        SpillScratch.Place place = scratch.take();
        try {
            long position = block.offset();
            for (long from = 0; from < block.bytes(); from += pieceBytes) {
                long length = Math.min(pieceBytes, block.bytes() - from);
                long end = block.offset() + block.storedBytes();
                position += readPiece(file, place, position, end - position, into.asSlice(from, length));
            }
        } finally {
            scratch.give(place);
        }
        readBytes.addAndGet(block.bytes());
    }

    /// Gives a block's room back. Does nothing once the query is closed.
    public void free(SpillBlock block) {
        giveBack(block.offset(), block.storedBytes(), block.storedBytes());
    }

    /// Closes the file, which is gone then. Nobody may use it any more. A second call does nothing.
    void close() {
        synchronized (space) {
            if (closed) {
                return;
            }
            closed = true;
            scratch.close();
            folder.release(storedBytes.getAndSet(0));
            if (channel != null) {
                try {
                    channel.close();
                } catch (IOException e) {
                    throw new ResourceException(
                            operator + ": cannot close a spill file in " + folder.directory() + ": " + reason(e), e);
                }
            }
        }
    }

    /// Opens the file if it is not. Called under the lock.
    private FileChannel openChannel() {
        if (closed) {
            throw new IllegalStateException(operator + " cannot use its spill file: the query is closed");
        }
        if (channel == null) {
            try {
                channel = folder.open();
            } catch (IOException e) {
                throw new ResourceException(
                        operator + ": cannot make a spill file in " + folder.directory() + ": " + reason(e)
                                + "; set spill.directory to a folder that can be written to, or raise memory.limit",
                        e);
            }
        }
        return channel;
    }

    private long take(long bytes) {
        synchronized (space) {
            return space.take(bytes);
        }
    }

    private void giveBack(long offset, long fileBytes, long countedBytes) {
        synchronized (space) {
            if (!closed) {
                space.give(offset, fileBytes);
                storedBytes.addAndGet(-countedBytes);
                folder.release(countedBytes);
            }
        }
    }

    private void reserve(long bytes) {
        if (!folder.tryReserve(bytes)) {
            throw new ResourceException(operator + ": needs " + ByteSize.format(bytes) + " more on disk, "
                    + ByteSize.formatPart(folder.usedBytes(), folder.limitBytes())
                    + " of spill files are in use; raise spill.limit or memory.limit (this operator has "
                    + ByteSize.format(storedBytes()) + " in " + folder.directory() + ")");
        }
        long now = storedBytes.addAndGet(bytes);
        peakStoredBytes.accumulateAndGet(now, Math::max);
    }

    /// Puts a piece, compressed where that helps, and its lengths into scratch.
    /// @return bytes that it takes there, with its header
    private static int pack(MemorySegment bytes, SpillScratch.Place place) {
        int length = (int) bytes.byteSize();
        MemorySegment target = place.segment();
        MemorySegment body = target.asSlice(HEADER_BYTES);
        int stored = place.codec().compress(bytes, body);
        if (stored >= length) {
            stored = length;
            MemorySegment.copy(bytes, 0, body, 0, length);
        }
        target.set(INT, 0, stored);
        target.set(INT, 4, length);
        target.set(INT, 12, 0);
        return HEADER_BYTES + stored;
    }

    /// Completes the header of a packed piece.
    private static void seal(SpillScratch.Place place, long position) {
        MemorySegment piece = place.segment();
        int stored = piece.get(INT, 0);
        int checksum = checksum(position, stored, piece.get(INT, 4), piece.asSlice(HEADER_BYTES, stored));
        piece.set(INT, 8, checksum);
    }

    /// @param mostBytes where the block ends, from `position` on
    /// @return          the piece's bytes in the file
    private long readPiece(
            FileChannel file, SpillScratch.Place place, long position, long mostBytes, MemorySegment into) {
        MemorySegment header = place.segment().asSlice(0, HEADER_BYTES);
        readFully(file, header, position);
        int stored = header.get(INT, 0);
        int length = header.get(INT, 4);
        int checksum = header.get(INT, 8);
        if (stored < 0 || stored > length || length != into.byteSize() || stored > mostBytes - HEADER_BYTES) {
            throw damaged(position);
        }
        MemorySegment body = place.segment().asSlice(HEADER_BYTES, stored);
        readFully(file, body, position + HEADER_BYTES);
        if (checksum != checksum(position, stored, length, body)) {
            throw damaged(position);
        }
        if (stored == length) {
            into.copyFrom(body);
        } else if (place.codec().decompress(body, into) != length) {
            throw damaged(position);
        }
        return HEADER_BYTES + stored;
    }

    private static int checksum(long position, int stored, int length, MemorySegment body) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(16)
                .putLong(position)
                .putInt(stored)
                .putInt(length)
                .flip());
        checksum.update(body.asByteBuffer());
        return (int) checksum.getValue();
    }

    private ResourceException damaged(long position) {
        return new ResourceException(operator + ": the spill file in " + folder.directory()
                + " was changed or damaged at byte " + position
                + "; look at the disk, or set spill.directory to another one");
    }

    private void writeFully(FileChannel file, MemorySegment bytes, long position) {
        ByteBuffer buffer = bytes.asByteBuffer();
        boolean interrupted = Thread.interrupted(); // would close the file for all of its operator's workers
        try {
            while (buffer.hasRemaining()) {
                file.write(buffer, position + buffer.position());
            }
        } catch (IOException e) {
            throw new ResourceException(
                    operator + ": cannot spill to " + folder.directory() + ": " + reason(e) + ", "
                            + ByteSize.format(folder.usedBytes()) + " of spill files are in use there; set"
                            + " spill.directory to a disk with more room, or raise memory.limit",
                    e);
        } finally {
            restore(interrupted);
        }
    }

    private void readFully(FileChannel file, MemorySegment bytes, long position) {
        ByteBuffer buffer = bytes.asByteBuffer();
        boolean interrupted = Thread.interrupted();
        try {
            while (buffer.hasRemaining()) {
                if (file.read(buffer, position + buffer.position()) < 0) {
                    throw new EOFException("it ends at byte " + file.size());
                }
            }
        } catch (IOException e) {
            throw new ResourceException(
                    operator + ": cannot read its spill file in " + folder.directory() + ": " + reason(e)
                            + "; look at the disk, or set spill.directory to another one",
                    e);
        } finally {
            restore(interrupted);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// What the system says, without the path that file errors begin with.
    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException _ -> "access denied";
            case FileSystemException file when file.getReason() != null -> file.getReason();
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        };
    }
}
