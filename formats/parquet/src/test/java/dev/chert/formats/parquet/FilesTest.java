package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.ScalarType;
import dev.chert.error.CorruptFileException;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ValidationException;
import dev.chert.source.FileFormat;
import dev.chert.source.LocalFileSystem;
import dev.chert.source.TableSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a file, or several, are as a table, and what is said about those that are none.
class FilesTest {
    @TempDir
    Path directory;

    private DuckDb duckDb;

    @BeforeEach
    void open() throws Exception {
        duckDb = new DuckDb();
    }

    @AfterEach
    void close() throws Exception {
        duckDb.close();
    }

    private Path write(String name, String query) throws Exception {
        Path file = directory.resolve(name);
        duckDb.copy(query, file, "");
        return file;
    }

    @Test
    void isFoundAsAFormat() {
        assertThat(ServiceLoader.load(FileFormat.class).stream()
                        .map(p -> p.get().name()))
                .contains("parquet");
        assertThat(new ParquetFormat().hasEnding("a/B.PARQUET")).isTrue();
        assertThat(new ParquetFormat().hasEnding("a.parquet.csv")).isFalse();
    }

    @Test
    void saysWhatIsWrongWithAFileThatIsNone() throws Exception {
        Path empty = Files.createFile(directory.resolve("empty.parquet"));
        assertThatThrownBy(() -> Reading.source(empty))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(empty + ": the file is empty, expected a Parquet file");
        Path text = Files.writeString(directory.resolve("text.parquet"), "id,name\n1,one\n2,two\n");
        assertThatThrownBy(() -> Reading.source(text))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(text
                        + ": is no Parquet file: it begins with 'id,n', expected 'PAR1'; is it of another format?");
        byte[] whole = Files.readAllBytes(write("t.parquet", "SELECT i FROM range(1000) t(i)"));
        Path half = Files.write(directory.resolve("half.parquet"), Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> Reading.source(half))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage(half + ": the file begins as a Parquet file but does not end with 'PAR1': it is cut off, or"
                        + " not yet written to its end");
        Path tiny = Files.writeString(directory.resolve("tiny.parquet"), "PAR1");
        assertThatThrownBy(() -> Reading.source(tiny))
                .hasMessage(tiny + ": has 4 bytes, a Parquet file has at least 12");
    }

    @Test
    void saysWhereASchemaEndsWithinItsTree() {
        byte[] file = HandMade.required(Type.INT32)
                .schema(elements -> {
                    elements.getFirst().setNum_children(2);
                    SchemaElement group = new SchemaElement("g");
                    group.setNum_children(1);
                    elements.add(1, group); // takes the only leaf
                })
                .file(0);
        assertThatThrownBy(() -> Reading.source("t.parquet", file))
                .isInstanceOf(CorruptFileException.class)
                .hasMessage("t.parquet: the schema ends after 3 elements, within a group");
    }

    @Test
    void stopsReadingMetadataWhenTheThreadIsInterrupted() throws Exception {
        Path file = write("t.parquet", "SELECT 1 AS a");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> Reading.source(file))
                    .isInstanceOf(QueryCancelledException.class)
                    .hasMessage(file + ": the thread was interrupted while it read the file's metadata");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(Reading.source(file).schema().size()).isOne();
    }

    @Test
    void refusesOptionsByName() throws Exception {
        Path file = write("t.parquet", "SELECT 1 AS a");
        LocalFileSystem files = LocalFileSystem.UNRESTRICTED;
        assertThatThrownBy(() -> new ParquetFormat().open(files.list(file.toString()), files, Map.of("header", "true")))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("header");
    }

    @Test
    void readsSeveralFilesOfOneSchemaByName() throws Exception {
        write("1.parquet", "SELECT 1 AS a, 'x' AS b");
        write("2.parquet", "SELECT 'y' AS b, 2 AS a, 3 AS more");
        TableSource source = Reading.source(directory);
        assertThat(new Reading().all(source)).isEqualTo(List.of(List.of(1L, "x"), List.of(2L, "y")));
        assertThat(source.statistics().rowCount().value()).isEqualTo(2);
        assertThat(source.describe()).startsWith("parquet ").endsWith("and 1 more");
    }

    @Test
    void namesBothFilesWhereTheirSchemasDiffer() throws Exception {
        Path first = write("1.parquet", "SELECT 1::INTEGER AS a");
        Path second = write("2.parquet", "SELECT 1::BIGINT AS a");
        assertThatThrownBy(() -> Reading.source(directory))
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "column a is INTEGER in " + first + " but BIGINT in " + second + "; name files of one schema");
        Files.delete(second);
        Path third = write("3.parquet", "SELECT 1 AS b");
        assertThatThrownBy(() -> Reading.source(directory))
                .hasMessage(third + " has no column a, which " + first + " has; name files of one schema");
    }

    @Test
    void survivesSerialisation() throws Exception {
        TableSource source = Reading.source(write("t.parquet", "SELECT i FROM range(10) t(i)"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(source);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(source);
        }
    }

    @Test
    void showsColumnsThatItCannotReadAndReadsTheOthers() throws Exception {
        Path file =
                write("t.parquet", "SELECT i AS a, [i, 2] AS l, {'x': i} AS s, MAP {i: 'v'} AS m FROM range(3) t(i)");
        TableSource source = Reading.source(file);
        assertThat(source.schema().fields().stream().map(f -> f.type().toString()))
                .containsExactly("BIGINT", "BIGINT ARRAY", "ROW(x BIGINT)", "MAP<BIGINT, VARCHAR>");
        assertThat(new Reading().rows(source, List.of(0), List.of())).hasSize(3);
        assertThatThrownBy(() -> new Reading().rows(source, List.of(1), List.of()))
                .hasMessageStartingWith(file + ", row group 0, column l: the column is nested");
    }

    @Test
    void mapsLegacyAnnotations() {
        assertThat(type(Type.INT32, ConvertedType.UINT_8)).isEqualTo(ScalarType.SMALLINT);
        assertThat(type(Type.INT64, ConvertedType.UINT_64)).isEqualTo(ScalarType.decimal(20, 0));
        assertThat(type(Type.INT64, ConvertedType.TIMESTAMP_MILLIS)).isEqualTo(ScalarType.timestampLtz(3));
        assertThat(type(Type.INT32, ConvertedType.TIME_MILLIS)).isEqualTo(ScalarType.time(3));
        assertThat(type(Type.BYTE_ARRAY, ConvertedType.ENUM)).isEqualTo(ScalarType.VARCHAR);
        assertThat(type(Type.BYTE_ARRAY, ConvertedType.BSON)).isEqualTo(ScalarType.VARBINARY);
        assertThat(type(Type.DOUBLE, ConvertedType.UTF8)).isEqualTo(ScalarType.DOUBLE);
        assertThat(type(Type.INT96, null)).isEqualTo(ScalarType.timestamp(6));
    }

    private static Object type(Type type, ConvertedType annotation) {
        HandMade file = HandMade.required(type).data(1, Encoding.PLAIN, new byte[16]);
        if (annotation != null) {
            file.column(column -> column.setConverted_type(annotation));
        }
        return Reading.source("t.parquet", file.file(1)).schema().type(0);
    }
}
