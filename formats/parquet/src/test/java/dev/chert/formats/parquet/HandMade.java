package dev.chert.formats.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;

/// Writes files of one column `c` from pages made by hand, which may lie.
final class HandMade {
    private final SchemaElement column;
    private final ByteArrayOutputStream pages = new ByteArrayOutputStream();
    private CompressionCodec codec = CompressionCodec.UNCOMPRESSED;
    private Consumer<ColumnMetaData> change = metadata -> {};
    private Consumer<List<SchemaElement>> schemaChange = elements -> {};

    HandMade(Type type, FieldRepetitionType repetition) {
        column = new SchemaElement("c");
        column.setType(type);
        column.setRepetition_type(repetition);
    }

    static HandMade required(Type type) {
        return new HandMade(type, FieldRepetitionType.REQUIRED);
    }

    static HandMade optional(Type type) {
        return new HandMade(type, FieldRepetitionType.OPTIONAL);
    }

    HandMade column(Consumer<SchemaElement> changed) {
        changed.accept(column);
        return this;
    }

    HandMade codec(CompressionCodec used) {
        codec = used;
        return this;
    }

    /// Changes the description of the column chunk before it is written.
    HandMade chunk(Consumer<ColumnMetaData> changed) {
        change = changed;
        return this;
    }

    /// Changes the schema before it is written: the root and the column.
    HandMade schema(Consumer<List<SchemaElement>> changed) {
        schemaChange = changed;
        return this;
    }

    HandMade dictionary(int values, byte[] bytes) {
        PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, bytes.length, bytes.length);
        header.setDictionary_page_header(new DictionaryPageHeader(values, Encoding.PLAIN));
        return page(header, bytes);
    }

    HandMade data(int values, Encoding encoding, byte[] bytes) {
        return data(values, encoding, Encoding.RLE, bytes.length, bytes);
    }

    HandMade data(int values, Encoding encoding, Encoding levels, int uncompressed, byte[] bytes) {
        PageHeader header = new PageHeader(PageType.DATA_PAGE, uncompressed, bytes.length);
        header.setData_page_header(new DataPageHeader(values, encoding, levels, Encoding.RLE));
        return page(header, bytes);
    }

    HandMade dataV2(int values, int repetitionBytes, int definitionBytes, byte[] bytes) {
        PageHeader header = new PageHeader(PageType.DATA_PAGE_V2, bytes.length, bytes.length);
        header.setData_page_header_v2(
                new DataPageHeaderV2(values, 0, values, Encoding.PLAIN, definitionBytes, repetitionBytes));
        return page(header, bytes);
    }

    HandMade page(PageHeader header, byte[] bytes) {
        try {
            Util.writePageHeader(header, pages);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pages.writeBytes(bytes);
        return this;
    }

    /// The file, whose chunk claims `rows` values.
    byte[] file(long rows) {
        byte[] body = pages.toByteArray();
        SchemaElement root = new SchemaElement("root");
        root.setNum_children(1);
        ColumnMetaData metadata = new ColumnMetaData(
                column.getType(), List.of(Encoding.PLAIN), List.of("c"), codec, rows, body.length, body.length, 4);
        change.accept(metadata);
        ColumnChunk chunk = new ColumnChunk(0);
        chunk.setMeta_data(metadata);
        RowGroup rowGroup = new RowGroup(new ArrayList<>(List.of(chunk)), body.length, rows);
        List<SchemaElement> schema = new ArrayList<>(List.of(root, column));
        schemaChange.accept(schema);
        FileMetaData file = new FileMetaData(1, schema, rows, List.of(rowGroup));
        ByteArrayOutputStream footer = new ByteArrayOutputStream();
        try {
            Util.writeFileMetaData(file, footer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] magic = "PAR1".getBytes(StandardCharsets.US_ASCII);
        return join(magic, body, footer.toByteArray(), ints(footer.size()), magic);
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] ints(int... values) {
        ByteBuffer buffer = ByteBuffer.allocate(values.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            buffer.putInt(value);
        }
        return buffer.array();
    }

    static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
