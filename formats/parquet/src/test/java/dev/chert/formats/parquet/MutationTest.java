package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.error.ChertException;
import dev.chert.query.Settings;
import dev.chert.source.TableSource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files with a wrong byte or a few, or cut: they may give values or errors of ours, within 2 seconds and within
/// the memory limit, and nothing may leak.
///
/// All files together are cut at 500 places and changed at 5,000 (the property `chert.mutations` multiplies both);
/// native and Java codecs take turns.
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MutationTest {
    private static final int FACTOR = Integer.getInteger("chert.mutations", 1);
    private static final int CUTS = 20 * FACTOR;
    private static final int CHANGES = 200 * FACTOR;
    private static final long LIMIT = 16 << 20;
    private static final long MOST_NANOS = 2_000_000_000L;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Every encoding that DuckDB writes, at 300 rows.
    private static final String QUERY = """
            SELECT i AS n, CASE WHEN i % 3 <> 0 THEN i * 7 END AS nulls, 'text ' || i AS text,
              CASE WHEN i % 2 = 0 THEN 'few ' || i % 7 END AS few, i % 5 = 0 AS truth, i::DECIMAL(30, 3) AS wide,
              i::DOUBLE / 3 AS floating, md5(i::VARCHAR)::UUID AS id, (i % 100)::TINYINT AS small
            FROM range(300) t(i)
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "uncompressed, V1",
        "uncompressed, V2",
        "snappy, V1",
        "snappy, V2",
        "gzip, V1",
        "zstd, V1",
        "zstd, V2",
        "lz4_raw, V1",
        "lz4_raw, V2"
    })
    void givesValuesOrErrorsOfOurs(String codec, String version) throws Exception {
        Path file = directory.resolve("t.parquet");
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.copy(QUERY, file, "COMPRESSION " + codec + ", PARQUET_VERSION " + version + ", ROW_GROUP_SIZE 2048");
        }
        mutate(codec + " " + version, Files.readAllBytes(file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alltypes_dictionary.parquet",
                "alltypes_plain.snappy.parquet",
                "byte_stream_split_extended.gzip.parquet",
                "concatenated_gzip_members.parquet",
                "datapage_v1-snappy-compressed-checksum.parquet",
                "datapage_v2.snappy.parquet",
                "delta_binary_packed.parquet",
                "delta_byte_array.parquet",
                "delta_encoding_optional_column.parquet",
                "dict-page-offset-zero.parquet",
                "fixed_length_decimal_legacy.parquet",
                "int96_from_spark.parquet",
                "lz4_raw_compressed.parquet",
                "nested_structs.rust.parquet",
                "nullable.impala.parquet",
                "rle_boolean_encoding.parquet"
            })
    void givesValuesOrErrorsOfOursForFilesOfOtherWriters(String name) throws Exception {
        mutate(
                name,
                Files.readAllBytes(
                        Corpus.folder().resolve("parquet-testing/data").resolve(name)));
    }

    private void mutate(String name, byte[] good) {
        List<Integer> readable = readableColumns(name, good);
        Random random = new Random(name.hashCode());
        int refused = 0;
        for (int i = 0; i < CUTS + CHANGES; i++) {
            byte[] bad = i < CUTS ? cut(good, random) : changed(good, random);
            Settings settings = Settings.defaults().with("codec.native", i % 2 == 0 ? "on" : "off");
            long before = THREADS.getCurrentThreadCpuTime();
            try {
                TableSource source = Reading.source(name, bad);
                source.statistics();
                List<Integer> columns = IntStream.range(0, source.schema().size())
                        .filter(column -> readable.contains(column) || random.nextInt(50) == 0)
                        .boxed()
                        .toList();
                new Reading(settings).withLimit(LIMIT).rows(source, columns, List.of());
            } catch (ChertException e) {
                refused++;
                assertThat(e.getMessage()).isNotBlank();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("mutant " + i + " of " + name, e);
            }
            assertThat(THREADS.getCurrentThreadCpuTime() - before)
                    .as("nanoseconds for mutant %d of %s", i, name)
                    .isLessThan(MOST_NANOS);
        }
        assertThat(refused).isGreaterThan(CUTS / 2);
    }

    /// Those that are not nested; checks that a file is good.
    private static List<Integer> readableColumns(String name, byte[] good) {
        TableSource source = Reading.source(name, good);
        List<Integer> readable = new ArrayList<>();
        for (int column = 0; column < source.schema().size(); column++) {
            try {
                new Reading().rows(source, List.of(column), List.of());
                readable.add(column);
            } catch (ChertException e) {
                assertThat(e.getMessage()).contains("not supported");
            }
        }
        return readable;
    }

    private static byte[] cut(byte[] good, Random random) {
        byte[] cut = Arrays.copyOf(good, random.nextInt(good.length));
        if (cut.length > 12 && random.nextBoolean()) { // the end of a file again, after the wrong pages
            int tail = Math.min(cut.length, 2_000);
            System.arraycopy(good, good.length - tail, cut, cut.length - tail, tail);
        }
        return cut;
    }

    private static byte[] changed(byte[] good, Random random) {
        byte[] bad = good.clone();
        int changes = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
        for (int i = 0; i < changes; i++) {
            // half of the changes in the metadata, which is a small part of the file
            int at = random.nextBoolean()
                    ? random.nextInt(bad.length)
                    : bad.length - 1 - random.nextInt(Math.min(bad.length, 1_500));
            switch (random.nextInt(3)) {
                case 0 -> bad[at] = (byte) random.nextInt();
                case 1 -> bad[at] ^= (byte) (1 << random.nextInt(8));
                default -> bad[at] = random.nextBoolean() ? (byte) 0xFF : 0;
            }
        }
        return bad;
    }
}
