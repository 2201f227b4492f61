package dev.chert.formats.parquet;

import dev.chert.error.ChertException;
import shaded.parquet.org.apache.thrift.TBase;
import shaded.parquet.org.apache.thrift.TConfiguration;
import shaded.parquet.org.apache.thrift.TException;
import shaded.parquet.org.apache.thrift.protocol.TCompactProtocol;
import shaded.parquet.org.apache.thrift.protocol.TStruct;
import shaded.parquet.org.apache.thrift.transport.TEndpointTransport;
import shaded.parquet.org.apache.thrift.transport.TTransportException;

/// Reads structures of Thrift's compact protocol from bytes in memory.
///
/// A list or string that claims to be longer than the bytes that there are is refused before anything is
/// allocated.
final class ThriftBytes extends TEndpointTransport {
    private static final int MOST_NESTED = 64;
    private static final int STRUCTURES_UNCHECKED = 1 << 10;

    private final byte[] bytes;
    private final int limit;
    private int position;

    private ThriftBytes(byte[] bytes, int limit) throws TTransportException {
        super(new TConfiguration(limit, TConfiguration.DEFAULT_MAX_FRAME_SIZE, MOST_NESTED));
        this.bytes = bytes;
        this.limit = limit;
    }

    /// As [#read(byte[], int, TBase, Runnable)], for a structure that is read in no time.
    static int read(byte[] bytes, int length, TBase<?, ?> structure) throws TException {
        return read(bytes, length, structure, () -> {});
    }

    /// Fills `structure` from the first `length` bytes.
    ///
    /// @param checkCancelled called after every so many structures; throws a [ChertException] to end the reading
    /// @return how many bytes it took
    /// @throws CutException where the bytes end before the structure
    /// @throws TException   where they are no such structure
    static int read(byte[] bytes, int length, TBase<?, ?> structure, Runnable checkCancelled) throws TException {
        ThriftBytes transport = new ThriftBytes(bytes, length);
        try {
            structure.read(new Protocol(transport, length, checkCancelled));
        } catch (StackOverflowError e) { // unknown fields are skipped by recursion, however deep a file nests them
            throw new TException("structures are nested too deep", e);
        } catch (ChertException e) {
            throw e;
        } catch (RuntimeException e) { // generated code meets bytes that no writer makes
            throw new TException(e);
        }
        return transport.position;
    }

    /// Calls back while it reads.
    private static final class Protocol extends TCompactProtocol {
        private final Runnable checkCancelled;
        private int structures;

        Protocol(ThriftBytes transport, int limit, Runnable checkCancelled) {
            super(transport, limit, limit);
            this.checkCancelled = checkCancelled;
        }

        @Override
        public TStruct readStructBegin() throws TException {
            structures++;
            if (structures % STRUCTURES_UNCHECKED == 0) {
                checkCancelled.run();
            }
            return super.readStructBegin();
        }
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
