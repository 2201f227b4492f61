package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Schema;
import dev.chert.error.ChertException;
import dev.chert.error.CorruptFileException;
import dev.chert.error.TableException;
import dev.chert.source.TableSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Files of other engines' test suites.
class CorpusTest {
    /// Folders of files that are wrong on purpose; DuckDB is not asked about them.
    private static final Set<String> BAD = Set.of("arrow-testing-fuzz", "bad_data", "afl", "broken");

    /// Where DuckDB is no judge: names that differ in case alone, columns that it takes from the path, pages that
    /// it does not decompress.
    private static final Set<String> NOT_COMPARED = Set.of(
            "duckdb/bug13053.parquet",
            "duckdb/hive-partitioning/hive_col_also_in_file/a=5/test.parquet",
            "duckdb/hive-partitioning/hive_col_also_in_file/a=6/test.parquet",
            "arrow-testing/ARROW-17100.parquet",
            "parquet-testing/data/int96_from_spark.parquet");

    /// Files in which a column is damaged.
    private static final Set<String> DAMAGED = Set.of(
            "duckdb/broken-arrow.parquet",
            "duckdb/internal_6129.parquet",
            "duckdb/invalid_utf8_dba.parquet",
            "duckdb/invalid_utf8_dictionary.parquet",
            "duckdb/invalid_utf8_dlba.parquet",
            "duckdb/page_size_corruption.parquet",
            "duckdb/parquet_column_num_values_mismatch.parquet",
            "duckdb/rle_malicious_bitwidth.parquet",
            "hardwood/negative_data_page_offset.parquet",
            "parquet-testing/data/datapage_v1-corrupt-checksum.parquet",
            "parquet-testing/data/rle-dict-uncompressed-corrupt-checksum.parquet");

    private final List<String> wrong = new ArrayList<>();
    private int equalColumns;

    @Test
    void everyFlatColumnReadsAsInDuckDbOrIsRefusedByName() throws Exception {
        Path corpus = Corpus.folder();
        try (DuckDb duckDb = new DuckDb()) {
            for (Path file : Corpus.files(corpus)) {
                String name = corpus.relativize(file).toString();
                if (name.endsWith(".parquet") && Arrays.stream(name.split("/")).noneMatch(BAD::contains)) {
                    compare(file, name, duckDb);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(equalColumns).isGreaterThan(1_700);
    }

    private void compare(Path file, String name, DuckDb duckDb) {
        TableSource source;
        try {
            source = Reading.source(file);
            source.statistics();
        } catch (TableException e) {
            if (!e.getMessage().startsWith(file + ": the file is encrypted")) {
                wrong.add(e.toString());
            }
            return;
        }
        for (int column = 0; column < source.schema().size(); column++) {
            compare(file, name, source, column, duckDb);
        }
    }

    private void compare(Path file, String name, TableSource source, int column, DuckDb duckDb) {
        Schema schema = source.schema().select(List.of(column));
        String columnName = schema.field(0).name();
        List<List<Object>> rows;
        try {
            rows = new Reading().rows(source, List.of(column), List.of());
        } catch (TableException e) {
            if (!e.getMessage().startsWith(file + ", row group 0, column " + columnName)) {
                wrong.add(e.toString());
            }
            return;
        } catch (CorruptFileException e) {
            if (!DAMAGED.contains(name) || !e.place().startsWith("row group 0, column " + columnName)) {
                wrong.add(e.toString());
            }
            return;
        }
        if (NOT_COMPARED.contains(name)) {
            return;
        }
        List<List<Object>> expected;
        try {
            expected = duckDb.rows(file, schema);
        } catch (SQLException e) {
            return; // DuckDB refuses what this reader reads
        }
        if (rows.equals(expected)) {
            equalColumns++;
        } else {
            wrong.add(name + ", column " + schema.field(0) + ": " + firstDifference(rows, expected));
        }
    }

    private static String firstDifference(List<List<Object>> rows, List<List<Object>> expected) {
        for (int i = 0; i < Math.min(rows.size(), expected.size()); i++) {
            if (!rows.get(i).equals(expected.get(i))) {
                return "row " + i + " is " + rows.get(i) + ", expected " + expected.get(i);
            }
        }
        return rows.size() + " rows, expected " + expected.size();
    }

    @Test
    void badFilesGiveValuesOrErrorsOfOurs() {
        Path corpus = Corpus.folder();
        int refused = 0;
        for (Path file : Corpus.files(corpus)) {
            Path relative = corpus.relativize(file);
            if (Arrays.stream(relative.toString().split("/")).noneMatch(BAD::contains)) {
                continue;
            }
            try {
                TableSource source = Reading.source(file);
                for (int column = 0; column < source.schema().size(); column++) {
                    refused += readOrRefused(source, column) ? 0 : 1;
                }
            } catch (ChertException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                wrong.add(relative + ": " + e);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(refused).isGreaterThan(100);
    }

    private static boolean readOrRefused(TableSource source, int column) {
        try {
            new Reading().rows(source, List.of(column), List.of());
            return true;
        } catch (ChertException e) {
            return false;
        }
    }

    @Test
    void readsByteStreamSplitAsItsPlainTwin() {
        Path file = Corpus.folder().resolve("parquet-testing/data/byte_stream_split_extended.gzip.parquet");
        List<List<Object>> rows = new Reading().all(file);
        assertThat(rows).hasSize(200);
        for (List<Object> row : rows) {
            for (int column = 0; column < row.size(); column += 2) {
                assertThat(row.get(column + 1)).isEqualTo(row.get(column));
            }
        }
    }

    @Test
    void readsInt96FarOutsideTheRangeOfNanoseconds() {
        Path file = Corpus.folder().resolve("parquet-testing/data/int96_from_spark.parquet");
        assertThat(new Reading().all(file).stream().map(List::getFirst))
                .containsExactly(
                        1704141296123456L,
                        1704070800000000L,
                        253402225200000000L,
                        1735599600000000L,
                        null,
                        9089380393200000000L);
    }

    @Test
    void readsPagesThatAreCompressedThoughMarkedOtherwise() {
        Path file = Corpus.folder().resolve("arrow-testing/ARROW-17100.parquet");
        assertThat(new Reading().all(file).stream().map(List::getFirst)).containsExactly(1L, 2L, 3L, 4L, 5L);
    }
}
