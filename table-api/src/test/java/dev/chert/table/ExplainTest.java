package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ExplainTest {
    private final TableEnvironment environment = TestEnvironments.create("execution.batch-size", "1000");

    @AfterEach
    void close() {
        environment.close();
    }

    @Test
    void explainShowsTheRowsThatThePlannerExpects() {
        TestEnvironments.makeNumbers(environment, "t", 5000);
        assertThat(explain("EXPLAIN SELECT b, count(*) AS c FROM t WHERE a < 100 GROUP BY b"))
                .isEqualTo("""
                        Logical plan
                          LogicalAggregate(group=[{1}], c=[COUNT()])
                            LogicalFilter(condition=[<($0, 100)])
                              LogicalProject(a=[$0], b=[$1])
                                LogicalTableScan(table=[[t]])
                        Physical plan
                          HashAggregate keys=[#1] aggregates=[count(*)]  (~10 rows)
                            Filter (#0 < 100)  (~100 rows)
                              Scan memory table t columns=[a, b]  (~5000 rows)
                        """);
        assertThat(environment.sqlQuery("SELECT a FROM t WHERE a < 100").explain())
                .isEqualTo("""
                        Filter (#0 < 100)  (~100 rows)
                          Scan memory table t columns=[a]  (~5000 rows)
                        """);
    }

    @Test
    void aCompositeKeyIsNotExpectedToHaveMoreValuesThanRows() {
        TestEnvironments.makeNumbers(environment, "t", 5000);
        assertThat(explain("EXPLAIN SELECT t.s FROM t JOIN t AS u ON t.a = u.a AND t.b = u.b"))
                .containsPattern("HashJoin INNER .* \\(~5000 rows\\)");
    }

    @Test
    void explainAnalyzeShowsWhatEachNodeDid() {
        TestEnvironments.makeNumbers(environment, "t", 5000);
        assertThat(masked(explain("""
                EXPLAIN ANALYZE
                SELECT u.b, count(*) AS c FROM t JOIN t AS u ON t.a = u.a WHERE t.a < 2500 GROUP BY u.b ORDER BY c"""))).isEqualTo("""
                        Physical plan, as it ran
                        rows (estimated) batches time share memory spilled operator
                        10 (10) 1 TIME SHARE BYTES BYTES Project 0 [#0, #1]
                        10 (10) 1 TIME SHARE BYTES BYTES   Sort 1 [#1 nulls last]
                        10 (10) 1 TIME SHARE BYTES BYTES     HashAggregate 2 keys=[#0] aggregates=[count(*)]
                        2500 (2501) 3 TIME SHARE BYTES BYTES       Project 3 [#2]
                        2500 (2501) 3 TIME SHARE BYTES BYTES         HashJoin 4 INNER probe=[#0] build=[#0]
                        2500 (2501) 3 TIME SHARE BYTES BYTES           Filter 7 (#0 < 2500)
                        5000 (5000) 5 TIME SHARE BYTES BYTES             Scan 8 memory table t columns=[a] splits=1 of 1 pruned=0
                        2500 (2501) 3 TIME SHARE BYTES BYTES           Filter 5 (#0 < 2500)
                        5000 (5000) 5 TIME SHARE BYTES BYTES             Scan 6 memory table t columns=[a, b] splits=1 of 1 pruned=0
                        whole query: TIME, planning TIME, memory BYTES, spilled BYTES
                        """);
    }

    @Test
    void explainAnalyzeOfAnInsertRunsItsQueryAlone() {
        TestEnvironments.makeNumbers(environment, "t", 10);
        assertThat(masked(explain("EXPLAIN ANALYZE INSERT INTO t SELECT * FROM t WHERE s = 'none'")))
                .contains("0 (1) 0 TIME SHARE BYTES BYTES Filter 0 (#2 = 'none')");
        assertThat(explain("SELECT CAST(count(*) AS VARCHAR) FROM t")).isEqualTo("10\n");
    }

    @Test
    void explainAnalyzeShowsWhatWasSpilled() {
        try (TableEnvironment spilling = TestEnvironments.create("test.spill", "on")) {
            TestEnvironments.makeNumbers(spilling, "t", 5000);
            String text = explain(spilling, "EXPLAIN ANALYZE SELECT a FROM t ORDER BY s, a");
            assertThat(text).containsPattern("[1-9][0-9.]* [KM]iB +Sort ").doesNotContain("spilled 0 bytes");
        }
    }

    @Test
    void explainAnalyzeShowsWhatWasReadOfAFile() {
        String text = explain("EXPLAIN ANALYZE SELECT station, fare FROM '../samples/trips.parquet'");
        assertThat(text)
                .containsPattern("Scan 0 parquet .* splits=(\\d+) of \\1 pruned=0 pages=[1-9]\\d* read=[0-9.]+ .iB");
        assertThat(explain("EXPLAIN ANALYZE SELECT fare FROM '../samples/trips.parquet' WHERE fare < -1"))
                .containsPattern(" splits=0 of (\\d+) pruned=\\1\n");
    }

    @RepeatedTest(20) // the worker closes its scan while the caller sees the end
    void explainAnalyzeShowsWhatWasReadOfAFileThatWasLeftEarly() {
        assertThat(explain("EXPLAIN ANALYZE SELECT station, fare FROM '../samples/trips.parquet' LIMIT 1"))
                .containsPattern("Scan 1 parquet .* pages=[1-9]\\d* read=[1-9][0-9.]* (bytes|.iB)");
    }

    @Test
    void figuresStandInColumns() {
        TestEnvironments.makeNumbers(environment, "t", 5000);
        String text = explain("EXPLAIN ANALYZE SELECT a FROM t WHERE a < 100");
        List<String> lines =
                text.substring(text.indexOf("Physical plan")).lines().toList();
        int operator = lines.get(1).indexOf("operator");
        assertThat(lines.get(2).substring(operator)).startsWith("Filter 0 ");
        assertThat(lines.get(3).substring(operator)).startsWith("  Scan 1 ");
    }

    private String explain(String statement) {
        return explain(environment, statement);
    }

    private static String explain(TableEnvironment environment, String statement) {
        try (TableResult result = environment.executeSql(statement)) {
            return result.collect().stream().map(row -> row.getString(0) + "\n").collect(Collectors.joining());
        }
    }

    /// Without what differs from run to run: the logical plan goes, times and bytes lose their figures, columns their
    /// width.
    private static String masked(String text) {
        List<String> lines =
                text.substring(text.indexOf("Physical plan")).lines().toList();
        int operator = lines.get(1).indexOf("operator");
        StringBuilder masked = new StringBuilder();
        for (String line : lines) {
            boolean ofTable = line.length() > operator && line.charAt(operator - 1) == ' ';
            String figures = (ofTable ? line.substring(0, operator) : line)
                    .replaceAll("\\d+\\.\\d\\d ms", "TIME")
                    .replaceAll("\\d+ %", "SHARE")
                    .replaceAll("[0-9.]+ (bytes|[KM]iB)", "BYTES");
            masked.append(figures.strip().replaceAll(" +", " "));
            masked.append(ofTable ? " " + line.substring(operator) : "").append('\n');
        }
        return masked.toString();
    }
}
