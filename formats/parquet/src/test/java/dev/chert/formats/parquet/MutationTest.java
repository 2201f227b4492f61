package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.error.ChertException;
import dev.chert.query.Settings;
import dev.chert.source.TableSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files with a few wrong bytes, or cut: they may give values or errors of ours, nothing else, and nothing may
/// leak.
class MutationTest {
    private static final int MUTANTS = 250;
    private static final String QUERY = """
            SELECT i AS n, CASE WHEN i % 3 <> 0 THEN i * 7 END AS nulls, 'text ' || i AS text,
              CASE WHEN i % 2 = 0 THEN 'few ' || i % 7 END AS few, i % 5 = 0 AS truth, i::DECIMAL(30, 3) AS wide,
              i::DOUBLE / 3 AS floating, md5(i::VARCHAR)::UUID AS id, (i % 100)::TINYINT AS small
            FROM range(700) t(i)
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "uncompressed, V1, off",
        "uncompressed, V2, off",
        "snappy, V1, off",
        "snappy, V2, on",
        "gzip, V1, off",
        "zstd, V1, off",
        "zstd, V2, on",
        "lz4_raw, V1, off",
        "lz4_raw, V2, on"
    })
    void givesValuesOrErrorsOfOurs(String codec, String version, String nativeCodecs) throws Exception {
        Path file = directory.resolve("t.parquet");
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.copy(QUERY, file, "COMPRESSION " + codec + ", PARQUET_VERSION " + version + ", ROW_GROUP_SIZE 2048");
        }
        byte[] good = Files.readAllBytes(file);
        Settings settings = Settings.defaults().with("codec.native", nativeCodecs);
        assertThat(new Reading(settings).all(Reading.source("good", good))).hasSize(700);
        long seed = codec.hashCode() * 31L + version.hashCode();
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] bad = mutated(good, random);
            try {
                TableSource source = Reading.source("mutant " + i, bad);
                source.statistics();
                new Reading(settings).all(source);
            } catch (ChertException e) {
                refused++;
                assertThat(e.getMessage()).isNotBlank();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("mutant " + i + " of seed " + seed, e);
            }
        }
        assertThat(refused).isPositive();
    }

    private static byte[] mutated(byte[] good, Random random) {
        if (random.nextInt(10) == 0) {
            byte[] cut = Arrays.copyOf(good, random.nextInt(good.length));
            if (cut.length > 12 && random.nextBoolean()) { // the end of a file again, after the wrong pages
                int tail = Math.min(cut.length, 2_000);
                System.arraycopy(good, good.length - tail, cut, cut.length - tail, tail);
            }
            return cut;
        }
        byte[] bad = good.clone();
        int changes = 1 + random.nextInt(4);
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
