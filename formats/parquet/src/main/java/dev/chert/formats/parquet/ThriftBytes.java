package dev.chert.formats.parquet;

import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/// Reads structures of Thrift's compact protocol from bytes in memory.
///
/// A list or string that claims to be longer than the bytes that there are is refused before anything is
/// allocated.
final class ThriftBytes extends TEndpointTransport {
    private static final int MOST_NESTED = 64;

    private final byte[] bytes;
    private final int limit;
    private int position;

    private ThriftBytes(byte[] bytes, int limit) throws TTransportException {
        super(new TConfiguration(limit, TConfiguration.DEFAULT_MAX_FRAME_SIZE, MOST_NESTED));
        this.bytes = bytes;
        this.limit = limit;
    }

    /// Fills `structure` from the first `length` bytes.
    ///
    /// @return how many bytes it took
    /// @throws CutException where the bytes end before the structure
    /// @throws TException   where they are no such structure
    static int read(byte[] bytes, int length, TBase<?, ?> structure) throws TException {
        ThriftBytes transport = new ThriftBytes(bytes, length);
        try {
            structure.read(new TCompactProtocol(transport, length, length));
        } catch (StackOverflowError e) { // unknown fields are skipped by recursion, however deep a file nests them
            throw new TException("structures are nested too deep", e);
        } catch (RuntimeException e) { // generated code meets bytes that no writer makes
            throw new TException(e);
        }
        return transport.position;
    }

    /// The bytes ended before the structure did.
    static final class CutException extends TTransportException {
        private static final long serialVersionUID = 1;

        CutException() {
            super(END_OF_FILE, "the bytes end within the structure");
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) throws TTransportException {
        if (length > limit - position) {
            throw new CutException();
        }
        System.arraycopy(bytes, position, target, offset, length);
        position += length;
        return length;
    }

    @Override
    public byte[] getBuffer() {
        return bytes;
    }

    @Override
    public int getBufferPosition() {
        return position;
    }

    @Override
    public int getBytesRemainingInBuffer() {
        return limit - position;
    }

    @Override
    public void consumeBuffer(int length) {
        position += length;
    }

    @Override
    public void checkReadBytesAvailable(long length) throws TTransportException {
        if (length > limit - position) {
            throw new CutException();
        }
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void open() {
        // is open from the start
    }

    @Override
    public void close() {
        // has nothing to give back
    }

    @Override
    public void write(byte[] source, int offset, int length) throws TTransportException {
        throw new TTransportException("read only");
    }
}
