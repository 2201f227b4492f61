package dev.chert.formats.parquet;

import dev.chert.error.ResourceException;
import dev.chert.memory.ByteSize;
import dev.chert.source.FileSystem;
import dev.chert.source.InputFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import shaded.parquet.org.apache.thrift.TException;

/// Reads and checks the metadata at the end of a file.
///
/// ```text
/// PAR1 | pages ... | FileMetaData, compact Thrift | its length, int32 | PAR1
/// ```
///
/// Everything that later code counts on is checked here: chunks lie between the magic number and the metadata,
/// counts are not negative, each row group has a chunk for each leaf and a flat column a value for each row.
/// Source: Parquet README.md, "File format".
final class FooterReader {
    private static final int MAGIC_BYTES = 4;
    private static final int TAIL_BYTES = MAGIC_BYTES + Integer.BYTES;
    private static final int SMALLEST_FILE = MAGIC_BYTES + TAIL_BYTES;
    /// Read at once in the hope that it has the whole metadata.
    private static final int FIRST_READ_BYTES = 64 << 10;

    /// Of the Java heap, while metadata are read, for each byte of them; measured with 10,000 row groups.
    private static final int HEAP_BYTES = 10;

    private static final int FORGOTTEN_HEADER_BYTES = 100;
    private static final Pattern PARQUET_MR_VERSION =
            Pattern.compile("parquet-mr version (\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})\\b.*");

    private static final String MAGIC = "PAR1";
    private static final String ENCRYPTED_MAGIC = "PARE";

    private final InputFile file;
    private final Location location;
    private final long size;
    private final Runnable checkCancelled;

    private FooterReader(InputFile file, Runnable checkCancelled) {
        this.file = file;
        this.location = Location.of(file.entry().path());
        this.size = file.entry().size();
        this.checkCancelled = checkCancelled;
    }

    /// @param checkCancelled called often; what it throws ends the reading
    static Footer read(FileSystem fileSystem, FileSystem.FileEntry entry, Runnable checkCancelled) {
        try (InputFile file = fileSystem.open(entry)) {
            return new FooterReader(file, checkCancelled).read();
        }
    }

    private Footer read() {
        if (size == 0) {
            throw location.corrupt("the file is empty, expected a Parquet file");
        }
        byte[] head = bytes(0, (int) Math.min(size, MAGIC_BYTES));
        String begin = text(head, 0);
        if (!begin.equals(MAGIC) && !begin.equals(ENCRYPTED_MAGIC)) {
            throw location.corrupt(
                    "is no Parquet file: it begins with %s, expected 'PAR1'; is it of another format?", shown(head));
        }
        if (size < SMALLEST_FILE) {
            throw location.corrupt("has %d bytes, a Parquet file has at least %d", size, SMALLEST_FILE);
        }
        int tailLength = (int) Math.min(size, FIRST_READ_BYTES);
        byte[] tail = bytes(size - tailLength, tailLength);
        String end = text(tail, tailLength - MAGIC_BYTES);
        if (end.equals(ENCRYPTED_MAGIC)) {
            throw location.unsupported("the file is encrypted, which is not supported; write it without encryption");
        }
        if (!end.equals(MAGIC)) {
            throw location.corrupt("the file begins as a Parquet file but does not end with 'PAR1': it is cut off, or"
                    + " not yet written to its end");
        }
        int length = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt(tailLength - TAIL_BYTES);
        if (length <= 0 || length > size - SMALLEST_FILE) {
            throw location.corrupt(
                    "the metadata's length is %d, expected 1 to %d in a file of %d bytes",
                    length, size - SMALLEST_FILE, size);
        }
        checkHeap(length);
        byte[] metadata = length <= tailLength - TAIL_BYTES
                ? Arrays.copyOfRange(tail, tailLength - TAIL_BYTES - length, tailLength - TAIL_BYTES)
                : bytes(size - TAIL_BYTES - length, length);
        FileMetaData thrift = new FileMetaData();
        try {
            ThriftBytes.read(metadata, length, thrift, checkCancelled);
        } catch (TException e) {
            throw location.corrupt(
                    e, "the metadata at byte %d cannot be read: %s", size - TAIL_BYTES - length, e.getMessage());
        }
        return checked(thrift, size - TAIL_BYTES - length, length);
    }

    /// Metadata live on the Java heap, so their size is held against its.
    private void checkHeap(int length) {
        long heap = Runtime.getRuntime().maxMemory();
        if ((long) length * HEAP_BYTES > heap / 4 * 3) {
            throw new ResourceException(
                    "%s: its metadata have %s, too much to be read with a Java heap of %s; raise -Xmx"
                            .formatted(file.entry().path(), ByteSize.format(length), ByteSize.format(heap)));
        }
    }

    /// @param end byte at which the metadata begins, before which all pages lie
    private Footer checked(FileMetaData thrift, long end, int byteSize) {
        SchemaReader.Columns schema = SchemaReader.read(thrift.getSchema(), location);
        boolean[] typeOrder = new boolean[schema.leaves()];
        if (thrift.isSetColumn_orders() && thrift.getColumn_ordersSize() == schema.leaves()) {
            for (int leaf = 0; leaf < typeOrder.length; leaf++) {
                typeOrder[leaf] = thrift.getColumn_orders().get(leaf).isSetTYPE_ORDER();
            }
        }
        ParquetColumn[] columnOfLeaf = new ParquetColumn[schema.leaves()];
        for (ParquetColumn column : schema.columns()) {
            if (column.form() != null) {
                columnOfLeaf[column.leaf()] = column;
            }
        }
        boolean forgotHeaders = forgotDictionaryHeaders(thrift.getCreated_by());
        List<RowGroup> rowGroups = new ArrayList<>();
        for (org.apache.parquet.format.RowGroup rowGroup : thrift.getRow_groups()) {
            checkCancelled.run();
            Location place = location.inRowGroup(rowGroups.size());
            if (rowGroup.getNum_rows() < 0) {
                throw place.corrupt("has %d rows", rowGroup.getNum_rows());
            }
            if (rowGroup.getColumnsSize() != schema.leaves()) {
                throw place.corrupt(
                        "has %d column chunks, the schema has %d", rowGroup.getColumnsSize(), schema.leaves());
            }
            List<ColumnChunk> chunks = new ArrayList<>();
            for (org.apache.parquet.format.ColumnChunk chunk : rowGroup.getColumns()) {
                int leaf = chunks.size();
                chunks.add(
                        chunk(chunk, columnOfLeaf[leaf], typeOrder[leaf], rowGroup.getNum_rows(), end, forgotHeaders));
            }
            rowGroups.add(new RowGroup(rowGroup.getNum_rows(), chunks));
        }
        return new Footer(schema.columns(), rowGroups, byteSize);
    }

    /// parquet-mr before 1.2.9 left the header of a dictionary page out of a chunk's size (PARQUET-816).
    private static boolean forgotDictionaryHeaders(String createdBy) {
        if (createdBy == null || !createdBy.startsWith("parquet-mr")) {
            return false;
        }
        Matcher version = PARQUET_MR_VERSION.matcher(createdBy);
        if (!version.matches()) {
            return true; // the first ones did not say their version
        }
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        int patch = Integer.parseInt(version.group(3));
        return major < 1 || major == 1 && (minor < 2 || minor == 2 && patch < 9);
    }

    /// @param column        of the chunk, or null where it is nested or cannot be read
    /// @param end           byte before which all pages lie
    /// @param forgotHeaders whether the chunk may be a little longer than it says
    private static ColumnChunk chunk(
            org.apache.parquet.format.ColumnChunk chunk,
            ParquetColumn column,
            boolean typeOrder,
            long rows,
            long end,
            boolean forgotHeaders) {
        if (!chunk.isSetMeta_data()) {
            return refused("is encrypted, which is not supported; write the file without encryption");
        }
        ColumnMetaData metadata = chunk.getMeta_data();
        if (chunk.isSetFile_path()) {
            return refused("lies in another file (" + chunk.getFile_path() + "), which is not supported");
        }
        if (column == null) {
            return refused("is nested, which is not supported");
        }
        if (chunk.isSetCrypto_metadata()) {
            return refused("is encrypted, which is not supported; write the file without encryption");
        }
        if (metadata.getType() != column.physicalType()) {
            return damaged("holds %s, the schema says %s".formatted(metadata.getType(), column.physicalType()));
        }
        if (metadata.getNum_values() != rows) {
            return damaged("has %d values, its row group has %d rows".formatted(metadata.getNum_values(), rows));
        }
        // some writers set 0 where there is no dictionary page
        long offset = metadata.isSetDictionary_page_offset() && metadata.getDictionary_page_offset() >= MAGIC_BYTES
                ? Math.min(metadata.getDictionary_page_offset(), metadata.getData_page_offset())
                : metadata.getData_page_offset();
        long compressed = metadata.getTotal_compressed_size();
        if (rows > 0 && (compressed < 0 || offset < MAGIC_BYTES || offset > end || compressed > end - offset)) {
            return damaged("lies at byte %d and has %d bytes, the file has bytes %d to %d for pages"
                    .formatted(offset, compressed, MAGIC_BYTES, end));
        }
        return new ColumnChunk(
                metadata.getCodec(),
                metadata.getNum_values(),
                metadata.getTotal_uncompressed_size(),
                forgotHeaders ? Math.min(compressed + FORGOTTEN_HEADER_BYTES, end - offset) : compressed,
                offset,
                StatisticsReader.read(column, metadata.getStatistics(), typeOrder, metadata.getNum_values()),
                null,
                null);
    }

    private static ColumnChunk damaged(String damage) {
        return new ColumnChunk(null, 0, 0, 0, 0, ChunkStatistics.UNKNOWN, null, damage);
    }

    private static ColumnChunk refused(String refusal) {
        return new ColumnChunk(null, 0, 0, 0, 0, ChunkStatistics.UNKNOWN, refusal, null);
    }

    private byte[] bytes(long position, int length) {
        byte[] bytes = new byte[length];
        file.read(position, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static String text(byte[] bytes, int from) {
        return new String(bytes, from, Math.min(bytes.length - from, MAGIC_BYTES), StandardCharsets.ISO_8859_1);
    }

    /// Bytes as text in quotes where they are printable, else as hexadecimal digits.
    private static String shown(byte[] bytes) {
        for (byte b : bytes) {
            if (b < ' ' || b > '~') {
                return "0x" + new Bytes(bytes);
            }
        }
        return "'" + text(bytes, 0) + "'";
    }
}
