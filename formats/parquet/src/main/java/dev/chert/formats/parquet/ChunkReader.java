package dev.chert.formats.parquet;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import shaded.parquet.org.apache.thrift.TException;

/// Reads a flat column chunk, page by page, into columns of as many rows as are asked for.
///
/// ```text
/// chunk   | dictionary page? | data page | data page | ...          each: header, compact Thrift, then its bytes
/// v1      compressed: | length, definition levels (where nullable) | values |
/// v2                  | definition levels | compressed: values |
/// ```
///
/// Where all pages of a column's rows have codes, the column leaves as a dictionary column over one shared
/// [Column] of values a chunk; where the writer gave up on its dictionary, flat. A PLAIN page whose values are
/// the column's already is handed on without a copy, its buffer as owner, as are the bytes of all strings.
/// Memory: a window of the file, a page, the dictionary, and what columns keep.
/// Source: Parquet README.md, "Data Pages"; Encodings.md.
final class ChunkReader {
    private static final int FIRST_HEADER_BYTES = 256;
    /// A dictionary of numbers with more values costs its consumers more than it saves.
    private static final int MOST_NUMBERS = 4_096;
    /// Pages up to this size need no footer that allows them.
    private static final long SMALL_PAGE_BYTES = 1 << 20;

    private final ParquetColumn column;
    private final ColumnChunk chunk;
    private final Location location;
    private final Allocator allocator;
    private final PageDecompressor decompressor;
    private final ScratchCodes scratchCodes;
    private final boolean keepDictionaries;
    private final ChunkInput input;
    private final int valueBytes;

    private long position;
    private long valuesLeft;
    private long pagesRead;
    private Column dictionary;

    // the page at hand
    private int pageRows;
    private Buffer pageOwner; // of what its values lie in
    private Buffer levelOwner; // of what its levels lie in, where that may be another; else null
    private HybridDecoder levels; // null where no row of the page can be NULL
    private HybridDecoder codes; // null where the page has values
    private ValueDecoder values; // null where it has codes
    private Location page;

    /// Room for the codes of one batch, shared by the columns of a reader.
    static final class ScratchCodes {
        private final Allocator allocator;
        private final int rows;
        private Buffer buffer;

        ScratchCodes(Allocator allocator, int rows) {
            this.allocator = allocator;
            this.rows = rows;
        }

        MemorySegment segment() {
            if (buffer == null) {
                buffer = allocator.allocate((long) rows * Integer.BYTES);
            }
            return buffer.segment();
        }

        void close() {
            if (buffer != null) {
                buffer.release();
                buffer = null;
            }
        }
    }

    /// @param input            of the chunk; given: closed with this reader
    /// @param keepDictionaries false: every column is flat
    ChunkReader(
            ParquetColumn column,
            ColumnChunk chunk,
            Location location,
            ChunkInput input,
            Allocator allocator,
            PageDecompressor decompressor,
            ScratchCodes scratchCodes,
            boolean keepDictionaries) {
        this.column = column;
        this.chunk = chunk;
        this.location = location;
        this.input = input;
        this.allocator = allocator;
        this.decompressor = decompressor;
        this.scratchCodes = scratchCodes;
        this.keepDictionaries = keepDictionaries;
        this.position = chunk.offset();
        this.valuesLeft = chunk.numValues();
        this.valueBytes = column.form().physical().byteWidth();
    }

    /// Pages whose values were read, dictionaries included.
    long pagesRead() {
        return pagesRead;
    }

    long bytesRead() {
        return input.bytesRead();
    }

    /// Reads the next rows, of which the chunk has at least `rows`.
    ///
    /// @return the caller's
    Column read(int rows) {
        if (pageRows == 0) {
            nextPage();
        }
        if (pageRows >= rows
                && column.form().isPlainColumn()
                && values instanceof ValueDecoder.PlainFixed plain
                && (levels == null || levels.skipOnes(rows))) {
            MemorySegment slice = plain.take(rows).bytes();
            pageRows -= rows;
            pageOwner.retain();
            return Column.flat(column.type(), column.form().physical(), rows, slice, null, null, null, pageOwner);
        }
        Output output = new Output(rows);
        int row = 0;
        while (row < rows) {
            if (pageRows == 0) {
                nextPage();
            }
            int count = Math.min(rows - row, pageRows);
            output.append(row, count);
            pageRows -= count;
            row += count;
        }
        return output.seal();
    }

    /// Gives back all memory that no column keeps; a second call does nothing.
    void close() {
        leavePage();
        input.close();
        if (dictionary != null) {
            dictionary.release();
            dictionary = null;
        }
    }

    /// The rows of one column while pages are added.
    private final class Output {
        private final int rows;
        private Buffer valueBuffer; // made when the first page with values comes, or the last has come
        private Buffer codeBuffer; // null once values are written
        private Buffer validity; // null while no row can be NULL
        private int nulls;
        private final List<Counted> owners = new ArrayList<>(4);

        Output(int rows) {
            this.rows = rows;
        }

        void append(int row, int count) {
            int valid = count;
            if (levels != null && !levels.skipOnes(count)) {
                valid = levels.bits(validity(row), row, count);
            } else if (validity != null) {
                BitRange.fill(validity.segment(), row, count);
            }
            nulls += count - valid;
            if (codes != null && valueBuffer == null && canKeep()) {
                if (codeBuffer == null) {
                    codeBuffer = allocator.allocate(padded((long) rows * Integer.BYTES));
                }
                MemorySegment target = codeBuffer.segment().asSlice((long) row * Integer.BYTES);
                decodeCodes(target, valid);
                if (valid < count) {
                    Rows.spread(target, Integer.BYTES, validity.segment(), row, count, valid);
                }
            } else {
                appendValues(row, count, valid);
            }
        }

        private boolean canKeep() {
            return keepDictionaries
                    && dictionary != null
                    && dictionary.rowCount() > 0
                    && (dictionary.physical() == Physical.VIEW || dictionary.rowCount() <= MOST_NUMBERS);
        }

        private void appendValues(int row, int count, int valid) {
            MemorySegment target = values(row);
            if (codes != null) {
                if (valid > 0) {
                    MemorySegment scratch = scratchCodes.segment();
                    decodeCodes(scratch, valid);
                    gather(scratch, target, row, valid);
                }
            } else if (valid > 0) {
                values.decode(target, row, valid);
                if (column.form().physical() == Physical.VIEW) {
                    keep(pageOwner);
                }
            }
            if (valid < count) {
                if (column.form().physical() == Physical.BIT) {
                    Rows.spreadBits(target, row, validity.segment(), count, valid);
                } else {
                    Rows.spread(
                            target.asSlice((long) row * valueBytes), valueBytes, validity.segment(), row, count, valid);
                }
            }
        }

        /// The column's values; made on the first call, with what has come as codes so far.
        private MemorySegment values(int rowsSoFar) {
            if (valueBuffer == null) {
                long bytes = padded(column.form().physical().bytesFor(rows));
                valueBuffer = column.form().physical() == Physical.BIT
                        ? allocator.allocateZeroed(bytes)
                        : allocator.allocate(bytes);
                if (codeBuffer != null) {
                    gather(codeBuffer.segment(), valueBuffer.segment(), 0, rowsSoFar);
                    if (validity != null && column.form().physical() == Physical.VIEW) {
                        Rows.clearViews(valueBuffer.segment(), validity.segment(), rowsSoFar);
                    }
                    codeBuffer.release();
                    codeBuffer = null;
                }
            }
            return valueBuffer.segment();
        }

        private void gather(MemorySegment from, MemorySegment target, int row, int count) {
            Rows.gather(
                    from,
                    dictionary.values(),
                    valueBytes,
                    target.asSlice((long) row * valueBytes, (long) count * valueBytes),
                    count);
            if (dictionary.physical() == Physical.VIEW) {
                keep(dictionary);
            }
        }

        private void keep(Counted owner) {
            if (!owners.contains(owner)) {
                owner.retain();
                owners.add(owner);
            }
        }

        /// The validity, made when the first NULL may come: the rows before are all valid.
        private MemorySegment validity(int rowsSoFar) {
            if (validity == null) {
                validity = allocator.allocateZeroed(Bitmap.paddedBytes(rows));
                BitRange.fill(validity.segment(), 0, rowsSoFar);
            }
            return validity.segment();
        }

        Column seal() {
            MemorySegment validBits = null;
            if (validity != null && nulls == 0) {
                validity.release();
            } else if (validity != null) {
                owners.add(validity);
                validBits = validity.segment();
            }
            if (codeBuffer != null) {
                owners.add(codeBuffer);
                dictionary.retain();
                return Column.dictionary(
                        rows, codeBuffer.segment(), validBits, dictionary, owners.toArray(Counted[]::new));
            }
            owners.add(valueBuffer);
            return Column.flat(
                    column.type(),
                    column.form().physical(),
                    rows,
                    valueBuffer.segment(),
                    validBits,
                    null,
                    slabs(),
                    owners.toArray(Counted[]::new));
        }
    }

    private MemorySegment[] slabs() {
        return column.form().physical() == Physical.VIEW
                ? allocator.account().manager().slabs()
                : null;
    }

    private static long padded(long bytes) {
        return (bytes + 63) & ~63L;
    }

    /// Writes the codes of the next `count` values, checked against the dictionary.
    private void decodeCodes(MemorySegment target, int count) {
        if (count == 0) {
            return;
        }
        codes.ints(target, count);
        long largest = Rows.largestCode(target, count);
        int size = dictionary == null ? 0 : dictionary.rowCount();
        if (largest >= size) {
            throw page.corrupt("it refers to value %d of a dictionary of %d values", largest, size);
        }
    }

    private void leavePage() {
        if (pageOwner != null) {
            pageOwner.release();
            pageOwner = null;
        }
        if (levelOwner != null) {
            levelOwner.release();
            levelOwner = null;
        }
        levels = null;
        codes = null;
        values = null;
    }

    /// Goes to the next data page that has rows, by way of the dictionary.
    private void nextPage() {
        leavePage();
        while (pageRows == 0) {
            if (position >= input.end()) {
                throw location.corrupt(
                        "its pages end at byte %d, %d of %d values are missing",
                        position, valuesLeft, chunk.numValues());
            }
            page = location.inPage(position);
            PageHeader header = readHeader();
            int compressed = header.getCompressed_page_size();
            if (compressed < 0 || compressed > input.end() - position) {
                throw page.corrupt(
                        "its header says %d compressed bytes, %d are left in the column chunk",
                        compressed, input.end() - position);
            }
            if (header.getUncompressed_page_size() < 0) {
                throw page.corrupt("its header says %d bytes", header.getUncompressed_page_size());
            }
            long next = position + compressed;
            switch (header.getType()) {
                case DICTIONARY_PAGE -> readDictionary(header);
                case DATA_PAGE -> readDataPage(header);
                case DATA_PAGE_V2 -> readDataPageV2(header);
                case INDEX_PAGE -> {} // was never specified further: nothing refers to it
            }
            position = next;
        }
        if (position >= input.end()) {
            input.close(); // the last page: what it needs of the window it keeps itself
        }
    }

    /// Reads the header of the page at hand and moves to its bytes.
    private PageHeader readHeader() {
        long left = input.end() - position;
        int length = (int) Math.min(left, FIRST_HEADER_BYTES);
        while (true) {
            byte[] bytes = new byte[length];
            MemorySegment.copy(input.read(position, length).bytes(), 0, MemorySegment.ofArray(bytes), 0, length);
            try {
                PageHeader header = new PageHeader();
                position += ThriftBytes.read(bytes, length, header);
                return header;
            } catch (ThriftBytes.CutException e) {
                if (length == left || length > Integer.MAX_VALUE / 4) {
                    throw page.corrupt(e, "its header does not end within the column chunk");
                }
                length = (int) Math.min(left, length * 4L); // statistics make a header long
            } catch (TException e) {
                throw page.corrupt(e, "its header cannot be read: %s", e.getMessage());
            }
        }
    }

    private void readDictionary(PageHeader header) {
        if (!header.isSetDictionary_page_header()) {
            throw page.corrupt("a DICTIONARY_PAGE without a dictionary page header");
        }
        DictionaryPageHeader dictionaryHeader = header.getDictionary_page_header();
        if (dictionary != null) {
            throw page.corrupt("a second dictionary page in one column chunk");
        }
        if (column.form() == ValueForm.BOOLEAN) {
            throw page.corrupt("a dictionary page, which BOOLEAN has not");
        }
        int count = dictionaryHeader.getNum_values();
        Encoding encoding = dictionaryHeader.getEncoding();
        if (encoding != Encoding.PLAIN && encoding != Encoding.PLAIN_DICTIONARY) {
            throw page.corrupt("a dictionary page is encoded as %s, expected PLAIN", encoding);
        }
        int plainBytes = column.form().plainBytes(column.typeLength());
        int leastBytes = plainBytes == 0 ? Integer.BYTES : plainBytes;
        if (count < 0 || (long) count * leastBytes > header.getUncompressed_page_size()) {
            throw page.corrupt(
                    "a dictionary page of %d bytes claims %d values", header.getUncompressed_page_size(), count);
        }
        PageBytes bytes = readBytes(header, chunk.codec());
        pagesRead++;
        Buffer target = null;
        try {
            target = allocator.allocate(padded(Math.max(1, (long) count * valueBytes)));
            ValueDecoder decoder = ValueDecoder.plain(column.form(), column.typeLength(), bytes, page);
            decoder.decode(target.segment(), 0, count);
            boolean isView = column.form().physical() == Physical.VIEW;
            dictionary = Column.flat(
                    column.type(),
                    column.form().physical(),
                    count,
                    target.segment(),
                    null,
                    null,
                    slabs(),
                    isView ? new Counted[] {target, bytes.owner()} : new Counted[] {target});
            if (isView) {
                bytes = null;
            }
            target = null;
        } finally {
            if (bytes != null) {
                bytes.owner().release();
            }
            if (target != null) {
                target.release();
            }
        }
    }

    private void readDataPage(PageHeader header) {
        if (!header.isSetData_page_header()) {
            throw page.corrupt("a DATA_PAGE without a data page header");
        }
        DataPageHeader data = header.getData_page_header();
        int count = checkedCount(data.getNum_values());
        if (count == 0) {
            return;
        }
        PageBytes bytes = readBytes(header, chunk.codec());
        pageOwner = bytes.owner();
        if (column.nullable()) {
            bytes = readLevels(bytes, data.getDefinition_level_encoding());
        }
        begin(count, data.getEncoding(), bytes);
    }

    /// Takes the definition levels from the begin of a page.
    ///
    /// @return the bytes after them
    private PageBytes readLevels(PageBytes bytes, Encoding encoding) {
        if (encoding != Encoding.RLE) {
            throw page.unsupported(
                    "its definition levels are encoded as %s, which is not supported; write the file with a newer"
                            + " writer",
                    encoding);
        }
        int length = bytes.size() < Integer.BYTES ? -1 : bytes.bytes().get(Layouts.INT, 0);
        if (length < 0 || length > bytes.size() - Integer.BYTES) {
            throw page.corrupt("its definition levels claim %d bytes, the page has %d", length, bytes.size());
        }
        levels = levels(bytes.slice(Integer.BYTES, length).bytes());
        return bytes.from(Integer.BYTES + (long) length);
    }

    private HybridDecoder levels(MemorySegment bytes) {
        return new HybridDecoder(bytes, 1, "definition levels", page);
    }

    private void readDataPageV2(PageHeader header) {
        if (!header.isSetData_page_header_v2()) {
            throw page.corrupt("a DATA_PAGE_V2 without a header of its kind");
        }
        DataPageHeaderV2 data = header.getData_page_header_v2();
        int count = checkedCount(data.getNum_values());
        if (count == 0) {
            return;
        }
        int repetition = data.getRepetition_levels_byte_length();
        int definition = data.getDefinition_levels_byte_length();
        long levelBytes = (long) repetition + definition;
        int compressed = header.getCompressed_page_size();
        int uncompressed = header.getUncompressed_page_size();
        if (repetition < 0 || definition < 0 || levelBytes > compressed || levelBytes > uncompressed) {
            throw page.corrupt(
                    "its levels claim %d and %d bytes, the page has %d, decompressed %d",
                    repetition, definition, compressed, uncompressed);
        }
        // parquet-cpp before 3.0 compressed also what it marked as not compressed (ARROW-10353)
        boolean isCompressed = !data.isSetIs_compressed() || data.isIs_compressed() || compressed != uncompressed;
        PageBytes file = input.read(position, compressed);
        checkCrc(header, file);
        PageBytes bytes = decompress(
                isCompressed && compressed > levelBytes ? chunk.codec() : CompressionCodec.UNCOMPRESSED,
                file.from(levelBytes),
                uncompressed - levelBytes);
        pageOwner = bytes.owner();
        if (column.nullable()) {
            levels = levels(file.slice(repetition, definition).bytes());
            levelOwner = file.owner();
            levelOwner.retain();
        }
        begin(count, data.getEncoding(), bytes);
    }

    private int checkedCount(int count) {
        if (count < 0 || count > valuesLeft) {
            throw page.corrupt("its header says %d values, %d are left in the column chunk", count, valuesLeft);
        }
        return count;
    }

    /// Reads all bytes of the page at hand.
    ///
    /// @return with one count on its owner, the caller's
    private PageBytes readBytes(PageHeader header, CompressionCodec codec) {
        PageBytes file = input.read(position, header.getCompressed_page_size());
        checkCrc(header, file);
        return decompress(codec, file, header.getUncompressed_page_size());
    }

    private void checkCrc(PageHeader header, PageBytes file) {
        if (header.isSetCrc()) {
            CRC32 crc = new CRC32();
            crc.update(file.bytes().asByteBuffer());
            if ((int) crc.getValue() != header.getCrc()) {
                throw page.corrupt(
                        "the checksum of its bytes is %08x, its header says %08x: they were damaged",
                        (int) crc.getValue(), header.getCrc());
            }
        }
    }

    /// @return with one count on its owner, the caller's
    private PageBytes decompress(CompressionCodec codec, PageBytes file, long length) {
        if (length > PageDecompressor.mostBytes(codec, file.size()) || length > mostPageBytes()) {
            throw page.corrupt(
                    "its header says %d bytes that become %d, which is more than its column chunk (%d bytes) or its"
                            + " codec (%s) can give",
                    file.size(), length, chunk.totalUncompressedSize(), codec);
        }
        if (codec == CompressionCodec.UNCOMPRESSED) {
            if (length != file.size()) {
                throw page.corrupt("its header says %d bytes, decompressed %d, and no codec", file.size(), length);
            }
            file.owner().retain();
            return file;
        }
        Buffer buffer = allocator.allocate(length);
        try {
            decompressor.decompress(codec, file.bytes(), buffer.segment(), page);
        } catch (RuntimeException e) {
            buffer.release();
            throw e;
        }
        return PageBytes.of(buffer, 0, length);
    }

    /// What the footer says about the whole chunk; some writers count compressed bytes there.
    private long mostPageBytes() {
        return Math.max(chunk.totalUncompressedSize(), SMALL_PAGE_BYTES);
    }

    /// Begins a page of `count` rows.
    ///
    /// @param bytes of its values
    private void begin(int count, Encoding encoding, PageBytes bytes) {
        values = switch (encoding) { // no default: a new encoding finds its place here or the build fails
            case PLAIN -> ValueDecoder.plain(column.form(), column.typeLength(), bytes, page);
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> {
                codes = codes(bytes.bytes());
                yield null;
            }
            case RLE -> runLengthBits(bytes);
            case BIT_PACKED -> throw page.corrupt("BIT_PACKED is defined for levels alone, not for values");
            case DELTA_BINARY_PACKED -> transcoded(transcoder().deltaBinaryPacked(bytes.bytes(), count));
            case DELTA_LENGTH_BYTE_ARRAY -> transcoded(transcoder().deltaLengthByteArray(bytes.bytes(), count));
            case DELTA_BYTE_ARRAY -> transcoded(transcoder().deltaByteArray(bytes.bytes(), count));
            case BYTE_STREAM_SPLIT -> transcoded(transcoder().byteStreamSplit(bytes.bytes()));
        };
        pageRows = count;
        valuesLeft -= count;
        pagesRead++;
    }

    private Transcoder transcoder() {
        return new Transcoder(column.physicalType(), column.form().plainBytes(column.typeLength()), allocator, page);
    }

    /// Decodes from PLAIN bytes instead of the page's, which its levels may still need.
    private ValueDecoder transcoded(PageBytes plain) {
        if (levelOwner == null) {
            levelOwner = pageOwner;
        } else {
            pageOwner.release();
        }
        pageOwner = plain.owner();
        return ValueDecoder.plain(column.form(), column.typeLength(), plain, page);
    }

    /// The runs of codes, after a byte that has their width. A page of NULLs alone may have no bytes at all.
    private HybridDecoder codes(MemorySegment bytes) {
        if (bytes.byteSize() == 0) {
            return new HybridDecoder(bytes, 0, "codes", page);
        }
        int width = bytes.get(Layouts.BYTE, 0) & 0xFF;
        if (width > Integer.SIZE) {
            throw page.corrupt("its codes have %d bits, expected at most 32", width);
        }
        return new HybridDecoder(bytes.asSlice(1), width, "codes", page);
    }

    private ValueDecoder runLengthBits(PageBytes bytes) {
        if (column.form() != ValueForm.BOOLEAN) {
            throw page.corrupt("RLE is not defined for %s", column.physicalType());
        }
        int length = bytes.size() < Integer.BYTES ? 0 : bytes.bytes().get(Layouts.INT, 0);
        if (length < 0 || length > bytes.size() - Integer.BYTES) {
            throw page.corrupt("its values claim %d bytes, %d are left", length, bytes.size() - Integer.BYTES);
        }
        return new ValueDecoder.RunLengthBits(
                new HybridDecoder(bytes.slice(Integer.BYTES, length).bytes(), 1, "values", page));
    }
}
