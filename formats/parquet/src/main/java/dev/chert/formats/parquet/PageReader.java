package dev.chert.formats.parquet;

import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.memory.Buffer;
import dev.chert.memory.Counted;
import java.util.zip.CRC32;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;
import shaded.parquet.org.apache.thrift.TException;

/// Goes through the pages of a column chunk: reads their headers, checks them, and decompresses their bytes.
///
/// ```text
/// chunk   | dictionary page? | data page | data page | ...          each: header, compact Thrift, then its bytes
/// v1      compressed: | length, definition levels (where nullable) | values |
/// v2                  | definition levels | compressed: values |
/// ```
///
/// Memory: a window of the file, the page at hand, the dictionary. Source: Parquet README.md, "Data Pages".
final class PageReader {
    private static final int FIRST_HEADER_BYTES = 256;
    /// Statistics of long strings make a header long; one that is longer than this was damaged.
    private static final int MOST_HEADER_BYTES = 16 << 20;
    /// Pages up to this size need no footer that allows them.
    private static final long SMALL_PAGE_BYTES = 1 << 20;

    private final ParquetColumn column;
    private final ColumnChunk chunk;
    private final Location location;
    private final ChunkInput input;
    private final SplitContext context;

    private long position;
    private long valuesLeft;
    private long pagesRead;
    private Column dictionary; // null until its page has come
    private Location place; // of the page at hand
    private DataPage page; // the one at hand, or null

    /// @param input of the chunk; given: closed with this reader
    PageReader(ParquetColumn column, ColumnChunk chunk, Location location, ChunkInput input, SplitContext context) {
        this.column = column;
        this.chunk = chunk;
        this.location = location;
        this.input = input;
        this.context = context;
        this.position = chunk.offset();
        this.valuesLeft = chunk.numValues();
    }

    /// Pages whose values were read, dictionaries included.
    long pagesRead() {
        return pagesRead;
    }

    long bytesRead() {
        return input.bytesRead();
    }

    /// The chunk's dictionary, borrowed; null where no page of it has come.
    Column dictionary() {
        return dictionary;
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

    private void leavePage() {
        if (page != null) {
            page.close();
            page = null;
        }
    }

    /// A page that has rows left: the one at hand, else the next one, by way of the dictionary.
    ///
    /// @return borrowed until the next call
    DataPage page() {
        if (page != null && page.rowsLeft() > 0) {
            return page;
        }
        leavePage();
        while (page == null) {
            context.query().checkCancelled();
            if (position >= input.end()) {
                throw location.corrupt(
                        "its pages end at byte %d, %d of %d values are missing",
                        position, valuesLeft, chunk.numValues());
            }
            place = location.inPage(position);
            PageHeader header = readHeader();
            int compressed = header.getCompressed_page_size();
            if (compressed < 0 || compressed > input.end() - position) {
                throw place.corrupt(
                        "its header says %d compressed bytes, %d are left in the column chunk",
                        compressed, input.end() - position);
            }
            if (header.getUncompressed_page_size() < 0) {
                throw place.corrupt("its header says %d bytes", header.getUncompressed_page_size());
            }
            long next = position + compressed;
            switch (header.getType()) {
                case DICTIONARY_PAGE -> readDictionary(header);
                case DATA_PAGE -> readDataPage(header);
                case DATA_PAGE_V2 -> readDataPageV2(header);
                case INDEX_PAGE -> {} // was never specified further: nothing refers to it
            }
            position = next;
            input.passed(position); // what the page needs of the window it keeps itself
        }
        return page;
    }

    /// Reads the header of the page at hand and moves to its bytes.
    private PageHeader readHeader() {
        int most = (int) Math.min(input.end() - position, MOST_HEADER_BYTES);
        int length = Math.min(most, FIRST_HEADER_BYTES);
        while (true) {
            context.allocator().budget().reserve(length); // an array of the heap, and what is read from it
            try {
                byte[] bytes = input.read(position, length).bytes().toArray(Layouts.BYTE);
                PageHeader header = new PageHeader();
                position += ThriftBytes.read(bytes, length, header);
                return header;
            } catch (ThriftBytes.CutException e) {
                if (length == most) {
                    throw place.corrupt(
                            e,
                            "its header does not end within the %s",
                            most < MOST_HEADER_BYTES ? "column chunk" : MOST_HEADER_BYTES + " bytes that it may have");
                }
            } catch (TException e) {
                throw place.corrupt(e, "its header cannot be read: %s", e.getMessage());
            } finally {
                context.allocator().budget().release(length);
            }
            length = (int) Math.min(most, length * 4L);
        }
    }

    private void readDictionary(PageHeader header) {
        if (!header.isSetDictionary_page_header()) {
            throw place.corrupt("a DICTIONARY_PAGE without a dictionary page header");
        }
        DictionaryPageHeader dictionaryHeader = header.getDictionary_page_header();
        if (dictionary != null) {
            throw place.corrupt("a second dictionary page in one column chunk");
        }
        if (column.form() == ValueForm.BOOLEAN) {
            throw place.corrupt("a dictionary page, which BOOLEAN has not");
        }
        int count = dictionaryHeader.getNum_values();
        Encoding encoding = dictionaryHeader.getEncoding();
        if (encoding != Encoding.PLAIN && encoding != Encoding.PLAIN_DICTIONARY) {
            throw place.corrupt("a dictionary page is encoded as %s, expected PLAIN", encoding);
        }
        int plainBytes = column.form().plainBytes(column.typeLength());
        int leastBytes = plainBytes == 0 ? Integer.BYTES : plainBytes;
        if (count < 0 || (long) count * leastBytes > header.getUncompressed_page_size()) {
            throw place.corrupt(
                    "a dictionary page of %d bytes claims %d values", header.getUncompressed_page_size(), count);
        }
        PageBytes bytes = readBytes(header, chunk.codec());
        pagesRead++;
        Buffer target = null;
        try {
            target = context.allocator()
                    .allocate(Layouts.padded(
                            Math.max(1, (long) count * column.form().physical().byteWidth())));
            ValueDecoder decoder = ValueDecoder.plain(column.form(), column.typeLength(), bytes, place);
            decoder.decode(target.segment(), 0, count);
            boolean isView = column.form().physical() == Physical.VIEW;
            dictionary = Column.flat(
                    column.type(),
                    column.form().physical(),
                    count,
                    target.segment(),
                    null,
                    null,
                    isView ? context.allocator().account().manager().slabs() : null,
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
            throw place.corrupt("a DATA_PAGE without a data page header");
        }
        DataPageHeader data = header.getData_page_header();
        int count = checkedCount(data.getNum_values());
        if (count == 0) {
            return;
        }
        PageBytes bytes = readBytes(header, chunk.codec());
        page = new DataPage(column, count, place, bytes.owner());
        if (column.nullable()) {
            bytes = readLevels(bytes, data.getDefinition_level_encoding());
        }
        begin(data.getEncoding(), bytes);
    }

    /// Takes the definition levels from the begin of a page.
    ///
    /// @return the bytes after them
    private PageBytes readLevels(PageBytes bytes, Encoding encoding) {
        if (encoding != Encoding.RLE) {
            throw place.unsupported(
                    "its definition levels are encoded as %s, which is not supported; write the file with a newer"
                            + " writer",
                    encoding);
        }
        int length = bytes.size() < Integer.BYTES ? -1 : bytes.bytes().get(Layouts.INT, 0);
        if (length < 0 || length > bytes.size() - Integer.BYTES) {
            throw place.corrupt("its definition levels claim %d bytes, the page has %d", length, bytes.size());
        }
        page.takeLevels(bytes.slice(Integer.BYTES, length).bytes());
        return bytes.from(Integer.BYTES + (long) length);
    }

    private void readDataPageV2(PageHeader header) {
        if (!header.isSetData_page_header_v2()) {
            throw place.corrupt("a DATA_PAGE_V2 without a header of its kind");
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
            throw place.corrupt(
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
        page = new DataPage(column, count, place, bytes.owner());
        if (column.nullable()) {
            page.takeOwnLevels(file.slice(repetition, definition).bytes(), context.allocator());
        }
        begin(data.getEncoding(), bytes);
    }

    private int checkedCount(int count) {
        if (count < 0 || count > valuesLeft) {
            throw place.corrupt("its header says %d values, %d are left in the column chunk", count, valuesLeft);
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
                throw place.corrupt(
                        "the checksum of its bytes is %08x, its header says %08x: they were damaged",
                        (int) crc.getValue(), header.getCrc());
            }
        }
    }

    /// @return with one count on its owner, the caller's
    private PageBytes decompress(CompressionCodec codec, PageBytes file, long length) {
        if (length > PageDecompressor.mostBytes(codec, file.size()) || length > mostPageBytes()) {
            throw place.corrupt(
                    "its header says %d bytes that become %d, which is more than its column chunk (%d bytes) or its"
                            + " codec (%s) can give",
                    file.size(), length, chunk.totalUncompressedSize(), codec);
        }
        if (codec == CompressionCodec.UNCOMPRESSED) {
            if (length != file.size()) {
                throw place.corrupt("its header says %d bytes, decompressed %d, and no codec", file.size(), length);
            }
            file.owner().retain();
            return file;
        }
        Buffer buffer = context.allocator().allocate(length);
        try {
            context.decompressor().decompress(codec, file.bytes(), buffer.segment(), place);
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

    /// Begins the values of the page at hand.
    private void begin(Encoding encoding, PageBytes bytes) {
        page.takeValues(encoding, bytes, context);
        valuesLeft -= page.rowsLeft();
        pagesRead++;
    }
}
