package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.error.ResourceException;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import dev.chert.source.SplitReader;
import dev.chert.source.TableSource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that DuckDB writes, against what DuckDB reads from them.
class DuckDbFilesTest {
    /// A column of each type, with NULLs in rows that differ from column to column.
    private static final String ALL_TYPES = """
            SELECT
              CASE WHEN i % 3 <> 0 THEN i % 2 = 0 END AS c_boolean,
              CASE WHEN i % 5 <> 1 THEN (i % 256 - 128)::TINYINT END AS c_tinyint,
              CASE WHEN i % 7 <> 2 THEN (i * 13 % 65536 - 32768)::SMALLINT END AS c_smallint,
              (i * 7919 - 40000000)::INTEGER AS c_integer,
              CASE WHEN i % 11 <> 3 THEN i::BIGINT * 1000000007 - 5 END AS c_bigint,
              (i % 256)::UTINYINT AS c_utinyint,
              CASE WHEN i % 2 = 0 THEN (i * 31 % 65536)::USMALLINT END AS c_usmallint,
              (4294967295 - i)::UINTEGER AS c_uinteger,
              CASE WHEN i % 13 <> 5 THEN 18446744073709551615::UBIGINT - i END AS c_ubigint,
              CASE WHEN i % 17 = 4 THEN 'NaN'::FLOAT WHEN i % 17 <> 0 THEN (i / 3)::FLOAT END AS c_float,
              CASE WHEN i % 19 = 0 THEN '-inf'::DOUBLE WHEN i % 19 <> 1 THEN i / 7 END AS c_double,
              CASE WHEN i % 4 <> 0 THEN ((i % 9999 - 4999) / 100)::DECIMAL(4, 2) END AS c_decimal4,
              (i * 37 - 1000)::DECIMAL(9, 1) AS c_decimal9,
              CASE WHEN i % 6 <> 0 THEN (i::DECIMAL(18, 3) * 1000001 - 77) END::DECIMAL(18, 3) AS c_decimal18,
              CASE WHEN i % 9 <> 0 THEN -12345678901234567890123456789::DECIMAL(38, 5) + i END::DECIMAL(38, 5)
                AS c_decimal38,
              CASE WHEN i % 10 <> 0 THEN DATE '1969-12-20' + (i % 5000)::INTEGER END AS c_date,
              TIME '00:00:00.000001' + to_microseconds(i * 997) AS c_time,
              CASE WHEN i % 8 <> 0 THEN TIMESTAMP '1970-01-01 00:00:00' + to_microseconds(i * 1234567891) END
                AS c_timestamp,
              (TIMESTAMP '2024-02-29 12:00:00' + to_microseconds(i * 1001))::TIMESTAMP_MS AS c_timestamp_ms,
              (TIMESTAMP '1999-12-31 23:59:59' + to_microseconds(i))::TIMESTAMP_NS AS c_timestamp_ns,
              (TIMESTAMP '2001-02-03 04:05:06' + to_microseconds(i))::TIMESTAMPTZ AS c_timestamptz,
              CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN '' WHEN 2 THEN 'x' WHEN 3 THEN 'twelve bytes'
                WHEN 4 THEN 'thirteen byte' ELSE 'a much longer string, number ' || i END AS c_varchar,
              CASE WHEN i % 3 <> 1 THEN 'größer ' || (i % 10) END AS c_few,
              CASE WHEN i % 12 <> 0 THEN ('blob ' || repeat('z', (i % 20)::INTEGER))::BLOB END AS c_blob,
              CASE WHEN i % 14 <> 0 THEN md5(i::VARCHAR)::UUID END AS c_uuid,
              CASE WHEN i % 2 = 1 THEN '{"n": ' || i || '}' END::JSON AS c_json,
              NULL::INTEGER AS c_null
            FROM range(ROWS) t(i)
            """;

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

    private static String allTypes(int rows) {
        return ALL_TYPES.replace("ROWS", Integer.toString(rows));
    }

    private Path write(String query, String options) throws Exception {
        Path file = directory.resolve("t.parquet");
        duckDb.copy(query, file, options);
        return file;
    }

    private void assertSameRows(Path file) throws Exception {
        List<List<Object>> expected = duckDb.rows(file, Reading.source(file).schema());
        assertThat(new Reading().all(file)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"uncompressed", "snappy", "gzip", "zstd", "lz4_raw"})
    void readsEveryTypeUnderEveryCodec(String codec) throws Exception {
        assertSameRows(write(allTypes(5_000), "COMPRESSION " + codec));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4_096})
    void readsTheSameRowsInBatchesOfAnySize(int batchSize) throws Exception {
        Path file = write(allTypes(6_000), "ROW_GROUP_SIZE 2048");
        List<List<Object>> expected = duckDb.rows(file, Reading.source(file).schema());
        assertThat(new Reading(batchSize).all(file)).isEqualTo(expected);
    }

    @Test
    void keepsDictionariesUnlessTheSettingSaysOtherwise() throws Exception {
        Path file = write("SELECT 'value ' || i % 10 AS v FROM range(10000) t(i)", "COMPRESSION zstd");
        Reading kept = new Reading();
        Reading flattened = new Reading(Settings.defaults().with("execution.dictionaries", "off"));
        assertThat(kept.all(file)).isEqualTo(flattened.all(file));
        assertThat(kept.forms()).containsOnly(Column.Form.DICTIONARY);
        assertThat(flattened.forms()).containsOnly(Column.Form.FLAT);
    }

    @Test
    void countsRowsWithoutReadingAPage() throws Exception {
        TableSource source = Reading.source(write("SELECT i FROM range(10000) t(i)", "ROW_GROUP_SIZE 2048"));
        Reading reading = new Reading();
        assertThat(reading.rows(source, List.of(), List.of())).hasSize(10_000).containsOnly(List.of());
        assertThat(reading.metrics().pages()).isZero();
        assertThat(reading.metrics().bytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"V1", "V2"})
    void readsBothVersionsOfPages(String version) throws Exception {
        assertSameRows(write(allTypes(6_000), "COMPRESSION zstd, ROW_GROUP_SIZE 2048, PARQUET_VERSION " + version));
    }

    @Test
    void readsColumnsThatAreAllOrNeverNull() throws Exception {
        assertSameRows(write(
                "SELECT NULL::VARCHAR AS n, NULL::DOUBLE AS d, i AS v, CASE WHEN i = 5000 THEN 1 END AS one"
                        + " FROM range(10000) t(i)",
                "ROW_GROUP_SIZE 4096"));
    }

    @Test
    void readsAnEmptyTable() throws Exception {
        Path file = write("SELECT i, 'x' AS s FROM range(0) t(i)", "");
        assertThat(new Reading().all(file)).isEmpty();
        assertThat(Reading.source(file).statistics().rowCount().value()).isZero();
    }

    @Test
    void readsPagesLargerThanAWindow() throws Exception {
        assertSameRows(write(
                "SELECT repeat(md5(i::VARCHAR), 20) || i AS s, i AS n FROM range(9000) t(i)",
                "COMPRESSION uncompressed"));
    }

    @Test
    void givesBackAllMemoryWhereverItIsRefused() throws Exception {
        Path file = write(allTypes(4_000), "COMPRESSION snappy");
        List<List<Object>> expected = duckDb.rows(file, Reading.source(file).schema());
        int refused = 0;
        for (long limit = 16 << 10; ; limit += limit / 4) {
            try {
                assertThat(new Reading().withLimit(limit).all(file)).isEqualTo(expected);
                break;
            } catch (ResourceException e) {
                refused++; // Reading has checked that nothing stayed reserved
            }
        }
        assertThat(refused).isGreaterThan(10);
    }

    @Test
    void readsSplitsSideBySideAndEachBatchOnAnotherThread() throws Exception {
        TableSource source = Reading.source(write("SELECT i FROM range(40000) t(i)", "ROW_GROUP_SIZE 2048"));
        try (MemoryManager manager = new MemoryManager(256 << 20, true);
                Account account = manager.openAccount("query", 256 << 20);
                ExecutorService executor = Executors.newFixedThreadPool(3)) {
            QueryContext query = new QueryContext("test", Settings.defaults(), Instant.EPOCH, 1, account);
            Allocator allocator = account.allocator("scan");
            TableSource.ScanRequest request = new TableSource.ScanRequest(List.of(0), List.of());
            List<SplitReader> readers = source.splits(request).splits().stream()
                    .map(split -> split.open(request, query, allocator))
                    .toList();
            long sum = 0;
            for (int round = 0; round < 2; round++) { // the second finds the ends
                List<Future<Long>> sums = new ArrayList<>();
                for (SplitReader reader : readers) {
                    sums.add(executor.submit(() -> sumOfNext(reader)));
                }
                for (Future<Long> part : sums) {
                    sum += part.get();
                }
            }
            readers.forEach(SplitReader::close);
            assertThat(sum).isEqualTo(40_000L * 39_999 / 2);
            assertThat(account.liveBuffers()).isZero();
        }
    }

    private static long sumOfNext(SplitReader reader) {
        long sum = 0;
        if (reader.next() instanceof Batch batch) {
            for (int row = 0; row < batch.rowCount(); row++) {
                sum += (Long) Reading.value(batch.column(0), row);
            }
            batch.close();
        }
        return sum;
    }
}
