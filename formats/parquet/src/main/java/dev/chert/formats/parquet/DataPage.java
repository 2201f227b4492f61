package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Encoding;

/// A data page and how far its rows have been read: which are NULL, and the values or codes of the others.
///
/// Chooses the decoder of its values once, by encoding. Owns the buffers that levels and values lie in; who
/// keeps memory of theirs longer retains [#owner()]. Source: Parquet Encodings.md.
final class DataPage {
    private final ParquetColumn column;
    private final Location location;

    private int rowsLeft;
    private Buffer owner; // of what its values lie in
    private Buffer levelOwner; // of what its levels lie in, where that is another; else null
    private HybridDecoder levels; // null where no row of the page can be NULL
    private HybridDecoder codes; // null where the page has values
    private ValueDecoder values; // null where it has codes

    /// @param owner of the page's bytes; given: one count
    DataPage(ParquetColumn column, int rows, Location location, Buffer owner) {
        this.column = column;
        this.rowsLeft = rows;
        this.location = location;
        this.owner = owner;
    }

    int rowsLeft() {
        return rowsLeft;
    }

    /// Notes that the next `rows` rows were decoded.
    void advance(int rows) {
        rowsLeft -= rows;
    }

    Location location() {
        return location;
    }

    /// The buffer that the values lie in, borrowed.
    Buffer owner() {
        return owner;
    }

    /// Tells which rows have values; null where all have.
    HybridDecoder levels() {
        return levels;
    }

    /// The places of the values in the chunk's dictionary; null where the page has values of its own.
    HybridDecoder codes() {
        return codes;
    }

    /// The values; null where the page has codes.
    ValueDecoder values() {
        return values;
    }

    /// Takes the definition levels of a nullable column.
    void takeLevels(MemorySegment bytes) {
        levels = new HybridDecoder(bytes, 1, "definition levels", location);
    }

    /// Takes a copy of the definition levels, whose window of the file is large beside them.
    void takeOwnLevels(MemorySegment bytes, Allocator allocator) {
        levelOwner = allocator.allocate(bytes.byteSize());
        levelOwner.segment().copyFrom(bytes);
        takeLevels(levelOwner.segment());
    }

    /// Takes the values, which follow the levels.
    void takeValues(Encoding encoding, PageBytes bytes, SplitContext context) {
        values = switch (encoding) { // no default: a new encoding finds its place here or the build fails
            case PLAIN -> ValueDecoder.plain(column.form(), column.typeLength(), bytes, location);
            case PLAIN_DICTIONARY, RLE_DICTIONARY -> {
                codes = codes(bytes.bytes());
                yield null;
            }
            case RLE -> runLengthBits(bytes);
            case BIT_PACKED -> throw location.corrupt("BIT_PACKED is defined for levels alone, not for values");
            case DELTA_BINARY_PACKED -> transcoded(transcoder(context).deltaBinaryPacked(bytes.bytes(), rowsLeft));
            case DELTA_LENGTH_BYTE_ARRAY ->
                transcoded(transcoder(context).deltaLengthByteArray(bytes.bytes(), rowsLeft));
            case DELTA_BYTE_ARRAY -> transcoded(transcoder(context).deltaByteArray(bytes.bytes(), rowsLeft));
            case BYTE_STREAM_SPLIT -> transcoded(transcoder(context).byteStreamSplit(bytes.bytes()));
        };
    }

    /// Gives the buffers back.
    void close() {
        owner.release();
        if (levelOwner != null) {
            levelOwner.release();
        }
    }

    private Transcoder transcoder(SplitContext context) {
        return new Transcoder(column.physicalType(), column.form().plainBytes(column.typeLength()), context, location);
    }

    /// Decodes from PLAIN bytes instead of the page's, which its levels may still need.
    private ValueDecoder transcoded(PageBytes plain) {
        if (levelOwner == null) {
            levelOwner = owner;
        } else {
            owner.release();
        }
        owner = plain.owner();
        return ValueDecoder.plain(column.form(), column.typeLength(), plain, location);
    }

    /// The runs of codes, after a byte that has their width. A page of NULLs alone may have no bytes at all.
    private HybridDecoder codes(MemorySegment bytes) {
        if (bytes.byteSize() == 0) {
            return new HybridDecoder(bytes, 0, "codes", location);
        }
        int width = bytes.get(Layouts.BYTE, 0) & 0xFF;
        if (width > Integer.SIZE) {
            throw location.corrupt("its codes have %d bits, expected at most 32", width);
        }
        return new HybridDecoder(bytes.asSlice(1), width, "codes", location);
    }

    private ValueDecoder runLengthBits(PageBytes bytes) {
        if (column.form() != ValueForm.BOOLEAN) {
            throw location.corrupt("RLE is not defined for %s", column.physicalType());
        }
        int length = bytes.size() < Integer.BYTES ? 0 : bytes.bytes().get(Layouts.INT, 0);
        if (length < 0 || length > bytes.size() - Integer.BYTES) {
            throw location.corrupt("its values claim %d bytes, %d are left", length, bytes.size() - Integer.BYTES);
        }
        return new ValueDecoder.RunLengthBits(
                new HybridDecoder(bytes.slice(Integer.BYTES, length).bytes(), 1, "values", location));
    }
}
