package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableEnvironmentTest {
    private final TableEnvironment environment = TestEnvironments.create();

    @AfterEach
    void closingLeavesNothing() {
        environment.close();
    }

    @Test
    void valuesComeAsTheJavaTypesOfTheirSqlTypes() {
        assertThat(rows("SELECT true, CAST(1 AS TINYINT), CAST(2 AS SMALLINT), 3, CAST(4 AS BIGINT), CAST(1.5 AS REAL),"
                        + " CAST(2.5 AS DOUBLE), CAST(1.20 AS DECIMAL(5, 2)), DATE '2024-02-29', TIME '10:20:30',"
                        + " TIMESTAMP '2024-02-29 10:20:30.5', 'text', CAST(NULL AS INTEGER)"))
                .containsExactly(Row.of(
                        true,
                        (byte) 1,
                        (short) 2,
                        3,
                        4L,
                        1.5f,
                        2.5,
                        new BigDecimal("1.20"),
                        LocalDate.of(2024, 2, 29),
                        LocalTime.of(10, 20, 30),
                        LocalDateTime.of(2024, 2, 29, 10, 20, 30, 500_000_000),
                        "text",
                        null));
    }

    @Test
    void intervalsAndBytesComeAsJavaValues() {
        assertThat(rows("SELECT INTERVAL '1-2' YEAR TO MONTH, INTERVAL '1 02:03:04' DAY TO SECOND, x'0aff'"))
                .containsExactly(Row.of(
                        Period.of(1, 2, 0),
                        Duration.ofDays(1).plusHours(2).plusMinutes(3).plusSeconds(4),
                        new byte[] {10, -1}));
    }

    @Test
    void createInsertSelectAndDrop() {
        assertThat(update("CREATE TABLE t (id BIGINT NOT NULL, name VARCHAR, price DECIMAL(8, 2))"))
                .isEqualTo(-1);
        assertThat(update("INSERT INTO t VALUES (1, 'one', 1.5), (2, NULL, 2)")).isEqualTo(2);
        assertThat(update("INSERT INTO t (price, id) SELECT price + 1, id + 10 FROM t"))
                .isEqualTo(2);

        assertThat(rows("SELECT * FROM t ORDER BY id"))
                .containsExactly(
                        Row.of(1L, "one", new BigDecimal("1.50")),
                        Row.of(2L, null, new BigDecimal("2.00")),
                        Row.of(11L, null, new BigDecimal("2.50")),
                        Row.of(12L, null, new BigDecimal("3.00")));
        update("DROP TABLE t");
        assertThat(environment.listTables()).isEmpty();
        assertThat(TestEnvironments.memory(environment).reservedBytes()).isZero();
    }

    @Test
    void anInsertReadsItsTableAsItWasBefore() {
        update("CREATE TABLE t AS SELECT * FROM (VALUES (1), (2)) AS v(a)");
        for (int i = 0; i < 10; i++) {
            update("INSERT INTO t SELECT * FROM t");
        }
        assertThat(rows("SELECT count(*), sum(a) FROM t")).containsExactly(Row.of(2048L, 3072L));
    }

    @Test
    void aFailedInsertLeavesTheTableAsItWas() {
        update("CREATE TABLE t (a INTEGER NOT NULL)");
        update("INSERT INTO t VALUES (1)");

        assertThatThrownBy(() -> update("INSERT INTO t SELECT 10 / (a - 1) FROM t"))
                .isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> update("INSERT INTO t SELECT CASE WHEN a > 1 THEN a END FROM t"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("NOT NULL");
        assertThat(rows("SELECT * FROM t")).containsExactly(Row.of(1));
    }

    @Test
    void createTableAsFailsAsAWhole() {
        assertThatThrownBy(() -> update("CREATE TABLE t AS SELECT 1 / (a - 1) AS x FROM (VALUES (2), (1)) AS v(a)"))
                .isInstanceOf(ValidationException.class);
        assertThat(environment.listTables()).isEmpty();
        assertThat(TestEnvironments.memory(environment).reservedBytes()).isZero();
    }

    @Test
    void replacingATableFreesTheOldOne() throws InterruptedException {
        update("CREATE TABLE t AS SELECT 1 AS a");
        update("CREATE OR REPLACE TABLE t AS SELECT a + 1 AS a FROM t");
        assertThat(rows("SELECT a FROM t")).containsExactly(Row.of(2));
        update("DROP TABLE t");
        TestEnvironments.assertReserved(environment, 0);
    }

    @Test
    void ifNotExistsKeepsTheTableThatIsThere() {
        update("CREATE TABLE t AS SELECT 1 AS a");
        update("CREATE TABLE IF NOT EXISTS t AS SELECT 2 AS a");
        assertThat(rows("SELECT a FROM t")).containsExactly(Row.of(1));
        assertThatThrownBy(() -> update("CREATE TABLE t (b INTEGER)"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("exists already");
    }

    @Test
    void aViewFollowsItsTable() {
        update("CREATE TABLE t (a INTEGER)");
        update("CREATE TEMPORARY VIEW v (x) AS SELECT a + 1 FROM t");
        update("INSERT INTO t VALUES (1), (2)");
        assertThat(rows("SELECT x FROM v ORDER BY x")).containsExactly(Row.of(2), Row.of(3));
        update("CREATE OR REPLACE TEMPORARY VIEW v AS SELECT a * 10 AS y FROM t");
        assertThat(rows("SELECT y FROM v ORDER BY y DESC")).containsExactly(Row.of(20), Row.of(10));
        update("DROP VIEW v");
        assertThatThrownBy(() -> rows("SELECT * FROM v")).isInstanceOf(ValidationException.class);
    }

    @Test
    void aTableCanGetANameInSql() {
        Table small = environment.sqlQuery("SELECT a, a * 2 AS b FROM (VALUES (1), (2), (3)) AS v(a) WHERE a < 3");
        environment.createTemporaryView("small", small);

        assertThat(rows("SELECT sum(b) FROM small")).containsExactly(Row.of(6L));
        assertThat(environment.from("small").execute().collect()).hasSize(2);
        assertThat(environment.listTables()).containsExactly("small");
        assertThat(environment.dropTemporaryView("small")).isTrue();
        assertThat(environment.dropTemporaryView("small")).isFalse();
    }

    @Test
    void aTableOfAnotherEnvironmentIsRefused() {
        try (TableEnvironment other = TestEnvironments.create()) {
            Table table = other.sqlQuery("SELECT 1 AS a");
            assertThatThrownBy(() -> environment.createTemporaryView("t", table))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("another TableEnvironment");
        }
    }

    @Test
    void aTableKnowsItsColumnsAndItsPlan() {
        Table table = environment.sqlQuery("SELECT 1 AS a, 'x' AS b");
        assertThat(table.getResolvedSchema().fields())
                .extracting(Field::name, Field::type)
                .containsExactly(tuple("a", ScalarType.INTEGER), tuple("b", ScalarType.VARCHAR));
        assertThat(table.explain()).startsWith("Values");
    }

    @Test
    void showTablesDescribeAndExplainGiveRows() {
        update("CREATE TABLE t (id BIGINT NOT NULL, name VARCHAR)");
        update("CREATE TEMPORARY VIEW a AS SELECT 1 AS x");

        assertThat(rows("SHOW TABLES")).containsExactly(Row.of("a"), Row.of("t"));
        assertThat(rows("DESCRIBE t")).containsExactly(Row.of("id", "BIGINT", false), Row.of("name", "VARCHAR", true));
        assertThat(rows("DESCRIBE SELECT id + 1 AS y FROM t")).hasSize(1);
        assertThat(String.join(
                        "\n",
                        rows("EXPLAIN SELECT name FROM t WHERE id = 1").stream()
                                .map(row -> row.getString(0))
                                .toList()))
                .contains("Scan memory table t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET memory.limit = 1GB | memory.limit is a setting of the engine, fixed when that is made: give it to"
                        + " EnvironmentSettings, or with --set on the command line",
                "RESET execution.threads | execution.threads is a setting of the engine, fixed when that is made: give it to"
                        + " EnvironmentSettings, or with --set on the command line",
                "SET sql.overflw = null | unknown setting 'sql.overflw'; did you mean 'sql.overflow'?",
                "SET execution.batch-size = 0 | execution.batch-size: found '0', expected a whole number from 1 to 4096",
            })
    void setSaysWhatIsWrong(String statement, String message) {
        assertThatThrownBy(() -> update(statement))
                .isInstanceOf(ValidationException.class)
                .hasMessage(message);
    }

    @Test
    void setCountsForLaterStatementsUntilReset() {
        update("SET sql.division-by-zero = null");
        assertThat(rows("SELECT 1 / a FROM (VALUES (0)) AS v(a)")).containsExactly(Row.of((Object) null));
        update("RESET sql.division-by-zero");
        assertThatThrownBy(() -> rows("SELECT 1 / a FROM (VALUES (0)) AS v(a)"))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void filesOutsideOfTheAllowedPathsAreRefused() {
        String trips = "SELECT count(*) FROM '../samples/trips.parquet'";
        assertThat(rows(trips)).containsExactly(Row.of(5_000L));
        assertThat(environment.from("../samples/*.parquet").execute().collect()).hasSize(5_000);
        environment.getConfig().set("files.allowed-paths", "../samples/nothing, src");
        assertThatThrownBy(() -> rows(trips))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("files.allowed-paths");
        environment.getConfig().set("files.allowed-paths", "src, ../samples");
        assertThat(rows(trips)).containsExactly(Row.of(5_000L));
    }

    @Test
    void aResultIsReadInOneWay() {
        try (TableResult result = environment.executeSql("SELECT 1 AS a")) {
            result.rows();
            assertThatThrownBy(result::batches)
                    .isInstanceOf(ValidationException.class)
                    .hasMessage(
                            "a result is read once: this one was read as rows before it was asked for batches; run the"
                                    + " statement again");
        }
    }

    @Test
    void oneStatementAtATime() {
        assertThat(rows("SELECT 1; ")).hasSize(1);
        assertThatThrownBy(() -> rows("SELECT 1; SELECT 2"))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("found 2");
        assertThatThrownBy(() -> rows(" -- nothing\n"))
                .isInstanceOf(ValidationException.class)
                .hasMessage("expected a statement, found none");
        assertThat(TableEnvironment.splitStatements("SELECT ';';\n  SELECT 2"))
                .containsExactly(new SqlStatement("SELECT ';'", 1, 1), new SqlStatement("SELECT 2", 2, 3));
    }

    @Test
    void sqlQueryTakesOnlyQueries() {
        assertThatThrownBy(() -> environment.sqlQuery("DROP TABLE t")).isInstanceOf(ValidationException.class);
        assertThatThrownBy(() -> environment.sqlQuery("SELECT x FROM nowhere"))
                .isInstanceOf(ValidationException.class)
                .hasMessageStartingWith("line 1, column 15: ");
    }

    @Test
    void unsupportedSqlIsATableException() {
        assertThatThrownBy(() -> update("CREATE TABLE t (a INTEGER CHECK (a > 0))"))
                .isInstanceOf(TableException.class);
        assertThatThrownBy(() -> update("DELETE FROM t")).isInstanceOf(TableException.class);
    }

    @Test
    void insertIntoAViewOrAFileIsRefused() {
        update("CREATE TEMPORARY VIEW v AS SELECT 1 AS a");
        assertThatThrownBy(() -> update("INSERT INTO v VALUES (1)")).isInstanceOf(ValidationException.class);
    }

    @Test
    void readsRowsByNameAndPosition() {
        Row row = rows("SELECT 1 AS a, 'x' AS \"B\", CAST(2 AS DOUBLE) AS c").getFirst();
        assertThat(row.get("A")).isEqualTo(1);
        assertThat(row.get("b")).isEqualTo("x");
        assertThat(row.getDouble(2)).isEqualTo(2.0);
        assertThat(row.get(0, Integer.class)).isEqualTo(1);
        assertThat(row.toString()).isEqualTo("[1, x, 2.0]");
        assertThatThrownBy(() -> row.get("d")).hasMessage("the row has no column 'd'; did you mean 'B'?");
        assertThatThrownBy(() -> row.get(1, Long.class)).hasMessage("column 1 ('B') holds a String, not a Long");
    }

    @Test
    void manyRowsComeInSeveralBatches() {
        TestEnvironments.makeNumbers(environment, "t", 20_000);
        assertThat(environment.executeSql("SELECT a FROM t ORDER BY a").collect().stream()
                        .map(row -> row.getLong(0)))
                .isEqualTo(LongStream.range(0, 20_000).boxed().toList());
        assertThat(rows("SELECT s, count(*) FROM t GROUP BY s ORDER BY s").getLast())
                .isEqualTo(Row.of("a string that is longer than a view, 9", 2_000L));
    }

    @Test
    void textIsUtf8() {
        String text = "snow ☃, smile \uD83D\uDE00 and more than twelve bytes";
        assertThat(rows("SELECT '" + text + "'")).containsExactly(Row.of(text));
        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(text.length());
    }

    private List<Row> rows(String sql) {
        return environment.executeSql(sql).collect();
    }

    private long update(String sql) {
        try (TableResult result = environment.executeSql(sql)) {
            assertThat(result.kind()).isEqualTo(TableResult.Kind.COMPLETED);
            assertThat(result.columns()).isEmpty();
            return result.updateCount();
        }
    }
}
