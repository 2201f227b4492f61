package dev.chert.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// A file on a disk that takes so many bytes more and may fail to give them back.
final class FullDisk extends FileChannel {
    private final FileChannel file;
    long room = Long.MAX_VALUE;
    boolean unreadable;

    FullDisk(FileChannel file) {
        this.file = file;
    }

    /// As the system does: writes what fits, and refuses when nothing does.
    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        if (room == 0) {
            throw new IOException("No space left on device");
        }
        ByteBuffer fitting = source.duplicate();
        fitting.limit((int) Math.min(source.limit(), source.position() + room));
        int written = file.write(fitting, position);
        source.position(source.position() + written);
        room -= written;
        return written;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        if (unreadable) {
            throw new IOException("Input/output error");
        }
        return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        file.truncate(size);
        return this;
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }

    @Override
    public int read(ByteBuffer target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long newPosition) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(boolean metaData) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
