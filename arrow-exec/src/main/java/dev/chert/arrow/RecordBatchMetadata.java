package dev.chert.arrow;

import dev.chert.batch.Layouts;
import dev.chert.error.TableException;
import java.lang.foreign.MemorySegment;

/// What stands before the body of a record batch message: the flatbuffer `Message` with its `RecordBatch`.
///
/// ```text
/// 0   int32 -1, the continuation mark
/// 4   int32 bytes of the flatbuffer with its padding
/// 8   the flatbuffer, padded to 8 bytes:
///     0   to Message     4   vtable    16  Message: to RecordBatch, bodyLength, version, header type
///     36  vtable         52  RecordBatch: length, to nodes, to buffers, to variadicBufferCounts
///     76  how many, nodes (length, null count); how many, buffers (offset, length); how many, counts
/// the body: buffers, each padded to 64 bytes
/// ```
///
/// Written always in this shape; read in any that the schema allows. Source: Apache Arrow, `Message.fbs`, and
/// "Encapsulated message format" in the columnar format's specification.
final class RecordBatchMetadata {
    static final int PREFIX_BYTES = 8;

    private static final int CONTINUATION = -1;
    private static final short VERSION_4 = 3;
    private static final short VERSION_5 = 4;
    private static final byte RECORD_BATCH = 3;

    private static final int MESSAGE_VTABLE = 4;
    private static final int MESSAGE = 16;
    private static final int BATCH_VTABLE = 36;
    private static final int BATCH = 52;
    private static final int NODES = 76;

    private static final int MESSAGE_VERSION = 0;
    private static final int MESSAGE_HEADER_TYPE = 1;
    private static final int MESSAGE_HEADER = 2;
    private static final int MESSAGE_BODY_LENGTH = 3;
    private static final int BATCH_LENGTH = 0;
    private static final int BATCH_NODES = 1;
    private static final int BATCH_BUFFERS = 2;
    private static final int BATCH_COMPRESSION = 3;
    private static final int BATCH_VARIADIC_COUNTS = 4;

    private final long rowCount;
    private final long bodyOffset;
    private final long bodyBytes;
    private final long[] nodes;
    private final long[] buffers;
    private final long[] variadicCounts;

    /// @param rowCount       of the batch
    /// @param bodyOffset     where in the message the body begins
    /// @param bodyBytes      its length
    /// @param nodes          a row count and a NULL count a column or child, depth first
    /// @param buffers        an offset in the body and a length, without padding, a buffer
    /// @param variadicCounts for each column of views, how many buffers its long strings lie in
    private RecordBatchMetadata(
            long rowCount, long bodyOffset, long bodyBytes, long[] nodes, long[] buffers, long[] variadicCounts) {
        this.rowCount = rowCount;
        this.bodyOffset = bodyOffset;
        this.bodyBytes = bodyBytes;
        this.nodes = nodes;
        this.buffers = buffers;
        this.variadicCounts = variadicCounts;
    }

    long rowCount() {
        return rowCount;
    }

    long bodyOffset() {
        return bodyOffset;
    }

    long bodyBytes() {
        return bodyBytes;
    }

    int nodeCount() {
        return nodes.length / 2;
    }

    long nodeRows(int node) {
        return nodes[2 * node];
    }

    long nodeNulls(int node) {
        return nodes[2 * node + 1];
    }

    int bufferCount() {
        return buffers.length / 2;
    }

    long bufferOffset(int buffer) {
        return buffers[2 * buffer];
    }

    long bufferBytes(int buffer) {
        return buffers[2 * buffer + 1];
    }

    int variadicColumns() {
        return variadicCounts.length;
    }

    long variadicCount(int column) {
        return variadicCounts[column];
    }

    /// Bytes before the body.
    static long byteSize(int nodes, int buffers, int variadicColumns) {
        return PREFIX_BYTES + NODES + 4 + 16L * nodes + 8 + 16L * buffers + 8 + 8L * variadicColumns;
    }

    /// Writes all that stands before the body, to the beginning of `to`.
    ///
    /// @param nodes          as in the constructor, as many as [#byteSize] was told
    static void write(
            MemorySegment to, long rowCount, long bodyBytes, long[] nodes, long[] buffers, long[] variadicCounts) {
        long bytes = byteSize(nodes.length / 2, buffers.length / 2, variadicCounts.length);
        to.asSlice(0, bytes).fill((byte) 0);
        to.set(Layouts.INT, 0, CONTINUATION);
        to.set(Layouts.INT, 4, (int) (bytes - PREFIX_BYTES));
        MemorySegment flat = to.asSlice(PREFIX_BYTES, bytes - PREFIX_BYTES);
        flat.set(Layouts.INT, 0, MESSAGE);
        vtable(flat, MESSAGE_VTABLE, 20, 16, 18, 4, 8);
        flat.set(Layouts.INT, MESSAGE, MESSAGE - MESSAGE_VTABLE);
        flat.set(Layouts.INT, MESSAGE + 4, BATCH - (MESSAGE + 4));
        flat.set(Layouts.LONG, MESSAGE + 8, bodyBytes);
        flat.set(Layouts.SHORT, MESSAGE + 16, VERSION_5);
        flat.set(Layouts.BYTE, MESSAGE + 18, RECORD_BATCH);
        vtable(flat, BATCH_VTABLE, 24, 4, 12, 16, 0, 20);
        flat.set(Layouts.INT, BATCH, BATCH - BATCH_VTABLE);
        flat.set(Layouts.LONG, BATCH + 4, rowCount);
        int buffersAt = NODES + 4 + 8 * nodes.length + 4;
        int countsAt = buffersAt + 4 + 8 * buffers.length + 4;
        vector(flat, BATCH + 12, NODES, nodes, 2);
        vector(flat, BATCH + 16, buffersAt, buffers, 2);
        vector(flat, BATCH + 20, countsAt, variadicCounts, 1);
    }

    /// @param tableBytes of the table that it describes
    /// @param fields     where in the table they lie, 0 where they do not
    private static void vtable(MemorySegment flat, int at, int tableBytes, int... fields) {
        flat.set(Layouts.SHORT, at, (short) (4 + 2 * fields.length));
        flat.set(Layouts.SHORT, at + 2, (short) tableBytes);
        for (int i = 0; i < fields.length; i++) {
            flat.set(Layouts.SHORT, at + 4 + 2L * i, (short) fields[i]);
        }
    }

    private static void vector(MemorySegment flat, int field, int at, long[] longs, int width) {
        flat.set(Layouts.INT, field, at - field);
        flat.set(Layouts.INT, at, longs.length / width);
        MemorySegment.copy(longs, 0, flat, Layouts.LONG, at + 4L, longs.length);
    }

    /// Reads what stands before the body of a message.
    ///
    /// @param message the whole message; what follows it is ignored
    /// @throws dev.chert.error.CorruptFileException if it is none, or claims more than there is
    /// @throws TableException                       if its body is compressed
    static RecordBatchMetadata read(MemorySegment message, MessagePlace place) {
        long messageBytes = message.byteSize();
        if (messageBytes < PREFIX_BYTES || message.get(Layouts.INT, 0) != CONTINUATION) {
            throw place.corrupt("a message begins with FF FF FF FF and its length, here are %d bytes", messageBytes);
        }
        int metadataBytes = message.get(Layouts.INT, 4);
        if (metadataBytes < 0 || metadataBytes > messageBytes - PREFIX_BYTES) {
            throw place.corrupt("%d bytes of metadata in a message of %d", metadataBytes, messageBytes);
        }
        FlatTable root = FlatTable.root(message.asSlice(PREFIX_BYTES, metadataBytes), place);
        short version = root.shortField(MESSAGE_VERSION, (short) 0);
        if (version != VERSION_4 && version != VERSION_5) {
            throw place.corrupt("metadata version V%d, V4 and V5 are known", version + 1);
        }
        byte kind = root.byteField(MESSAGE_HEADER_TYPE, (byte) 0);
        FlatTable batch = root.tableField(MESSAGE_HEADER);
        if (kind != RECORD_BATCH || batch == null) {
            throw place.corrupt("a message of kind %d, expected a record batch, %d", kind, RECORD_BATCH);
        }
        if (batch.has(BATCH_COMPRESSION)) {
            throw new TableException("Arrow record batches with compressed bodies cannot be read yet; write "
                    + place.file() + " without compression");
        }
        long bodyOffset = PREFIX_BYTES + (long) metadataBytes;
        long bodyBytes = root.longField(MESSAGE_BODY_LENGTH, 0);
        if (bodyBytes < 0 || bodyBytes > messageBytes - bodyOffset) {
            throw place.corrupt("a body of %d bytes, %d are there", bodyBytes, messageBytes - bodyOffset);
        }
        return new RecordBatchMetadata(
                batch.longField(BATCH_LENGTH, 0),
                bodyOffset,
                bodyBytes,
                batch.longsField(BATCH_NODES, 2),
                batch.longsField(BATCH_BUFFERS, 2),
                batch.longsField(BATCH_VARIADIC_COUNTS, 1));
    }
}
