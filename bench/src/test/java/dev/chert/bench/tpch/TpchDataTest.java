package dev.chert.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TpchDataTest {
    @TempDir
    private Path cache;

    @Test
    void generatesEachScaleOnceAndLeavesNothingElse() throws IOException {
        List<String> progress = new ArrayList<>();
        TpchData data = TpchData.ensure(new BigDecimal("0.0010"), cache, progress::add);
        assertThat(progress).hasSize(8).contains("lineitem: 6,005 rows");
        assertThat(data.directory()).isEqualTo(cache.resolve("tpch").resolve("sf0.001"));
        try (Stream<Path> scales = Files.list(cache.resolve("tpch"))) {
            assertThat(scales).containsExactly(data.directory());
        }
        try (Stream<Path> files = Files.list(data.directory())) {
            assertThat(files).hasSize(8);
        }
        assertThat(TpchData.ensure(new BigDecimal("0.001"), cache, progress::add))
                .isEqualTo(data);
        assertThat(progress).hasSize(8);
    }

    @Test
    void writesExactTypesCompressedWithZstd() throws SQLException {
        Path lineitem = TpchData.ensure(new BigDecimal("0.001"), cache, _ -> {}).file(TpchTable.LINEITEM);
        assertThat(strings("SELECT DISTINCT compression FROM parquet_metadata('%s')".formatted(lineitem)))
                .containsExactly("ZSTD");
        assertThat(strings("SELECT column_name || ' ' || column_type FROM (DESCRIBE FROM '%s')".formatted(lineitem)))
                .contains("l_orderkey BIGINT", "l_partkey INTEGER", "l_tax DECIMAL(15,2)", "l_shipdate DATE");
        assertThat(strings("SELECT l_orderkey || ' ' || l_extendedprice || ' ' || l_comment FROM '%s' LIMIT 1"
                        .formatted(lineitem)))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("1 ")
                .endsWith("egular courts above the");
    }

    @Test
    void refusesAScaleThatIsNotPositive() {
        assertThatThrownBy(() -> TpchData.ensure(BigDecimal.ZERO, cache, _ -> {}))
                .hasMessage("scale factor is 0, expected a positive number");
    }

    private static List<String> strings(String sql) throws SQLException {
        List<String> strings = new ArrayList<>();
        try (var connection = DriverManager.getConnection("jdbc:duckdb:");
                var rows = connection.createStatement().executeQuery(sql)) {
            while (rows.next()) {
                strings.add(rows.getString(1));
            }
        }
        return strings;
    }
}
