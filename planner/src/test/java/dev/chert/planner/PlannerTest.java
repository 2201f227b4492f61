package dev.chert.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Field;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.SourcePosition;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.expression.Expression;
import dev.chert.plan.PhysicalPlan;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.parse.SqlText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
    private final PlannerFixture fixture = new PlannerFixture();

    private Schema schema(String sql) {
        return ((Planned.Query) fixture.plan(sql)).plan().schema();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "SELECT foo FROM t                 | line 1, column 8: unknown column 'foo'; did you mean 'a'?",
                "SELECT t.bb FROM t                | line 1, column 10: unknown column 'bb' in 't'; did you mean 'b'?",
                "SELECT a FROM tt                  | line 1, column 15: unknown table 'tt'; did you mean 't'?",
                "SELECT u.a FROM t | "
                        + "line 1, column 8: 'u' is neither a table nor an alias in this query; did you mean 't'?",
                "SELECT lowr(s) FROM t             | line 1, column 8: unknown function 'lowr'; did you mean 'lower'?",
                "SELECT a FROM t WHERE s = 1 | "
                        + "line 1, column 23: '=' does not apply to VARCHAR = INTEGER; cast one side, as in CAST(x AS type)",
                "SELECT a + s FROM t | "
                        + "line 1, column 8: '+' does not apply to INTEGER + VARCHAR; cast one side, as in CAST(x AS type)",
                "SELECT a FROM t WHERE d > a | "
                        + "line 1, column 23: '>' does not apply to DATE > INTEGER; cast one side, as in CAST(x AS type)",
                "SELECT a, count(*) FROM t | "
                        + "line 1, column 8: 'a' is neither grouped nor aggregated; add it to GROUP BY, or write an aggregate such as MIN of it",
                "SELECT a FROM t, t AS u | "
                        + "line 1, column 8: column 'a' is ambiguous; write the table before it, as in t.a",
                "SELECT 'abc FROM t | line 1, column 8: a string literal begins here and is not closed; expected '",
                "SELECT \"abc FROM t | line 1, column 8: a quoted name begins here and is not closed; expected \"",
                "SELECT 1 /* why | line 1, column 10: a comment begins here and is not closed; expected */",
                "SELEC a FROM t | "
                        + "line 1, column 1: expected a statement, such as SELECT, but found 'SELEC'; did you mean SELECT?",
                "SELECT a FORM t | line 1, column 15: expected ',' but found 't' after 'FORM'; did you mean FROM?",
                "SELECT a FROM t WHERE | line 1, column 21: did not expect the end of the statement after 'WHERE'",
                "SELECT (1 + 2 FROM t              | line 1, column 15: expected ')' or ',' but found 'FROM' after '2'",
                "INSERT INTO t (a, c) VALUES (1, 2)| line 1, column 19: unknown column 'c'; did you mean 'a'?",
                "INSERT INTO t (a, b) VALUES (1) | line 1, column 22: INSERT into 't' names 2 columns, found 1 values",
                "SELECT a FROM 'none.parquet' | "
                        + "line 1, column 15: unknown table 'none.parquet', and there is no such file",
                "CREATE TABLE u (a FLOOT)          | line 1, column 19: unknown type 'FLOOT'",
            })
    void saysWhereWhatAndWhatHelps(String sql, String message) {
        assertThatThrownBy(() -> fixture.plan(sql))
                .isInstanceOf(ValidationException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DELETE FROM t | line 1, column 1: DELETE is not supported",
                "CREATE INDEX i ON t (a) | line 1, column 8: CREATE INDEX is not supported",
                "CREATE TABLE u (a INTEGER CHECK (a > 1)) | line 1, column 27: CHECK constraint is not supported",
                "CREATE TABLE u (a INTEGER PRIMARY KEY) | line 1, column 27: a PRIMARY KEY that is enforced is not"
                        + " supported; write PRIMARY KEY NOT ENFORCED to state it as information",
                "CREATE TABLE u (a INTEGER, UNIQUE (a)) | line 1, column 28: a UNIQUE that is enforced is not"
                        + " supported; write UNIQUE NOT ENFORCED to state it as information",
                "SELECT a FROM t INTERSECT ALL SELECT b FROM t | line 1, column 1: INTERSECT ALL is not supported;"
                        + " INTERSECT gives each common row once",
                "SELECT a FROM t EXCEPT ALL SELECT b FROM t | line 1, column 1: EXCEPT ALL is not supported;"
                        + " EXCEPT gives each remaining row once",
                "SELECT rank() OVER (ORDER BY a) FROM t | line 1, column 8: the window function rank is not supported;"
                        + " a sub-query with GROUP BY that is joined to the rows may do instead",
                "SELECT a FROM t QUALIFY a > 1 | line 1, column 25: QUALIFY is not supported;"
                        + " a WHERE around the query filters what it gives",
                "SELECT * FROM t PIVOT (sum(b) FOR a IN (1, 2)) | line 1, column 17: PIVOT is not supported;"
                        + " aggregates with FILTER (WHERE ...) give one column a value instead",
                "SELECT * FROM UNNEST(ARRAY[1]) | line 1, column 15: UNNEST is not supported;"
                        + " VALUES gives a table of constants",
                "SELECT * FROM t, LATERAL (SELECT 1) | line 1, column 27: LATERAL is not supported;"
                        + " join the table or the sub-query instead",
                "SELECT CAST(s AS DATE FORMAT 'YYYY') FROM t | line 1, column 8: CAST with FORMAT is not supported",
            })
    void refusesByNameWhatThereIsNot(String sql, String message) {
        assertThatThrownBy(() -> fixture.plan(sql))
                .isInstanceOf(TableException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "value",
                "year",
                "month",
                "day",
                "date",
                "time",
                "timestamp",
                "character",
                "key",
                "position",
                "count",
                "sum",
                "row",
                "result",
                "method",
                "language",
                "first",
                "last",
                "range",
                "rows",
                "groups",
                "system",
                "index",
                "table_name",
                "hour",
                "min",
                "max",
                "rank",
                "percent",
                "upper",
                "left_",
                "user_",
                "open",
                "close",
                "start",
                "one",
                "array",
                "map"
            })
    void letsWordsStandAsNames(String word) {
        fixture.add(FixtureTable.of("w", 10, word + " INTEGER"));
        String sql = "SELECT %1$s, w.%1$s AS x, %1$s + 1 FROM w AS w WHERE %1$s > 1 GROUP BY %1$s ORDER BY %1$s"
                .formatted(word);
        assertThat(schema(sql).field(0).name()).isEqualTo(word);
    }

    @Test
    void quotesNamesWithDoubleQuotesAndBackTicks() {
        assertThat(schema("SELECT \"a\" AS `select`, `b` AS \"from\" FROM \"t\"")
                        .fields())
                .extracting(Field::name)
                .containsExactly("select", "from");
    }

    @Test
    void findsNamesInExactCaseFirstAndThenInAnyCase() {
        fixture.add(FixtureTable.of("c", 10, "Id INTEGER", "ID BIGINT"));
        assertThat(schema("SELECT Id FROM C").type(0)).isEqualTo(ScalarType.INTEGER);
        assertThat(schema("SELECT ID FROM C").type(0)).isEqualTo(ScalarType.BIGINT);
        assertThatThrownBy(() -> schema("SELECT id FROM c"))
                .hasMessageContaining("column 'id' is ambiguous: there are 'Id' and 'ID'");
    }

    @Test
    void namesColumnsByTheirTextWhereTheyHaveNoAlias() {
        assertThat(schema("SELECT count(*), sum(a)  + 1, b AS c, a FROM t GROUP BY a, b")
                        .fields())
                .extracting(Field::name)
                .containsExactly("count(*)", "sum(a) + 1", "c", "a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '#',
            value = {
                "5 / 2                                                  | INTEGER",
                "CAST(1 AS DECIMAL(10, 2)) * CAST(1 AS DECIMAL(10, 3))  | DECIMAL(20, 5)",
                "CAST(1 AS DECIMAL(30, 10)) * CAST(1 AS DECIMAL(20, 10))| DECIMAL(38, 8)",
                "CAST(1 AS DECIMAL(10, 2)) + CAST(1 AS DECIMAL(12, 4))  | DECIMAL(13, 4)",
                "CAST(1 AS DECIMAL(10, 2)) / CAST(1 AS DECIMAL(10, 2))  | DECIMAL(23, 13)",
                "CAST(1 AS DECIMAL(10, 2)) % CAST(1 AS DECIMAL(5, 3))   | DECIMAL(5, 3)",
                "CAST(1 AS DECIMAL(10, 2)) + CAST(1 AS DOUBLE)          | DOUBLE",
                "'abc'                                                  | VARCHAR",
                "CAST(1 AS FLOAT)                                       | REAL",
                "sum(a)                                                 | BIGINT",
                "avg(a)                                                 | DOUBLE",
                "sum(CAST(a AS DECIMAL(10, 2)))                         | DECIMAL(38, 2)",
                "avg(CAST(a AS DECIMAL(10, 2)))                         | DECIMAL(38, 6)",
                "count(*)                                               | BIGINT",
                "max(s)                                                 | VARCHAR",
                "DATE '2020-01-31' + INTERVAL '1' MONTH                 | DATE",
            })
    void givesResultsTheTypesOfTheDesign(String expression, String type) {
        assertThat(schema("SELECT " + expression + " FROM t").type(0)).hasToString(type);
    }

    @Test
    void readsNoColumnToCountRows() {
        assertThat(fixture.physical("SELECT count(*) AS n FROM lineitem")).isEqualTo("""
                HashAggregate keys=[] aggregates=[count(*)]
                  Scan lineitem columns=[]
                """);
    }

    @Test
    void readsOnlyTheColumnsThatAreUsed() {
        assertThat(fixture.physical("SELECT sum(a + 1) AS n FROM t WHERE b > 3"))
                .isEqualTo("""
                HashAggregate keys=[] aggregates=[sum(#0)]
                  Project [(#0 + 1)]
                    Filter (#1 > 3)
                      Scan t columns=[a, b] prune=[#1 > 3]
                """);
    }

    @Test
    void keepsTheNullsOfNotIn() {
        fixture.add(FixtureTable.of("n", 10, "k INTEGER"));
        assertThat(fixture.physical("SELECT a FROM t WHERE a NOT IN (SELECT nullif(k, 1) FROM n)"))
                .isEqualTo("""
                HashJoin NULL_AWARE_ANTI probe=[#0] build=[#0]
                  Scan t columns=[a]
                  Project [case when (#0 = 1) then null else #0 end]
                    Scan n columns=[k]
                """);
        assertThat(fixture.physical("SELECT a FROM t WHERE a NOT IN (SELECT k FROM n)"))
                .startsWith("HashJoin ANTI");
    }

    @Test
    void marksRowsWhereInStandsBesideOtherConditions() {
        assertThat(fixture.physical("SELECT a FROM t WHERE a IN (SELECT c_custkey FROM customer) OR b = 1"))
                .contains("HashJoin MARK probe=[#0] build=[#0]");
    }

    @Test
    void sortsNullsHighUnlessTheSettingSaysOtherwise() {
        fixture.add(FixtureTable.of("n", 10, "k INTEGER"));
        assertThat(fixture.physical("SELECT nullif(k, 1) AS x FROM n ORDER BY x"))
                .contains("Sort [#0 nulls last]");
        assertThat(fixture.physical("SELECT nullif(k, 1) AS x FROM n ORDER BY x DESC"))
                .contains("Sort [#0 desc nulls first]");
        fixture.set("sql.null-ordering", "low");
        assertThat(fixture.physical("SELECT nullif(k, 1) AS x FROM n ORDER BY x"))
                .contains("Sort [#0 nulls first]");
    }

    @Test
    void ordersAndLimitsInOneOperator() {
        assertThat(fixture.physical("SELECT a FROM t ORDER BY 1 LIMIT 3 OFFSET 2"))
                .isEqualTo("""
                TopN [#0 nulls last] offset=2 fetch=3
                  Scan t columns=[a]
                """);
        assertThat(fixture.physical("SELECT a FROM t OFFSET 2 ROWS FETCH NEXT 3 ROWS ONLY"))
                .isEqualTo("""
                Limit offset=2 fetch=3
                  Scan t columns=[a]
                """);
    }

    @Test
    void expandsViewsWhereverTheyAreUsed() {
        Planned.CreateView view = (Planned.CreateView)
                fixture.plan("CREATE TEMPORARY VIEW v (k, n) AS\n  SELECT a, count(*) FROM t GROUP BY a");
        assertThat(view.view().query().text()).isEqualTo("SELECT a, count(*) FROM t GROUP BY a");
        fixture.catalog.add(view.view(), false);
        assertThat(fixture.physical("SELECT v.k, w.n FROM v JOIN v AS w ON v.k = w.n"))
                .contains("HashAggregate keys=[#0] aggregates=[count(*)]")
                .contains("HashJoin INNER");
    }

    @Test
    void tellsAViewThatIsDefinedByItself() {
        fixture.catalog.add(new Catalog.View("v", List.of(), SqlText.of("SELECT * FROM v")), false);
        assertThatThrownBy(() -> fixture.plan("SELECT * FROM v")).hasMessageContaining("view 'v' is defined by itself");
    }

    @Test
    void fillsColumnsThatAnInsertLeavesOutWithNull() {
        Planned.Insert insert = (Planned.Insert) fixture.plan("INSERT INTO t (b, s) VALUES (1, 'x'), (2, NULL)");
        assertThat(PlanText.of(insert.source())).isEqualTo("""
                Project [null, #0, #1, null, null]
                  Values rows=2
                """);
        assertThat(insert.source().schema().type(3)).isEqualTo(ScalarType.DATE);
    }

    @Test
    void keepsWhatATableIsMadeOf() {
        assertThat(
                        fixture.plan(
                                "CREATE TABLE IF NOT EXISTS u"
                                        + " (a INT PRIMARY KEY NOT ENFORCED, b TEXT, c DECIMAL(5, 1) NOT NULL, UNIQUE (b) NOT ENFORCED)"))
                .isEqualTo(new Planned.CreateTable(
                        "u",
                        Schema.of(
                                new Field("a", ScalarType.INTEGER, true),
                                new Field("b", ScalarType.VARCHAR, true),
                                new Field("c", ScalarType.decimal(5, 1), false)),
                        false,
                        true,
                        null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SET execution.batch-size = 7   | execution.batch-size | 7",
                "SET sql.null-ordering TO 'low' | sql.null-ordering    | low",
                "SET memory.limit=512MB         | memory.limit         | 512MB",
                "SET sql.time-zone = +02:00     | sql.time-zone        | +02:00",
            })
    void readsSettingsAsTheyAreWritten(String sql, String key, String value) {
        assertThat(fixture.plan(sql)).isEqualTo(new Planned.SetOption(key, value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n > 3            | #0 > 3.00",
                "3 < n            | #0 > 3.00",
                "n > 3.001        | #0 > 3.00",
                "n >= 3.001       | #0 > 3.00",
                "n < 3.001        | #0 <= 3.00",
                "n = 3.001        | ",
                "i > 1.5          | #1 > 1",
                "i < 10000000000  | ",
                "i > 3.5e0        | #1 > 3",
                "i = 2.0          | #1 = 2",
                "b = 5            | #2 = 5",
                "b <> 1.5         | ",
                "d < TIMESTAMP '2020-01-01 00:00:00' | #3 < 18262",
                "d < TIMESTAMP '2020-01-01 12:00:00' | #3 <= 18262",
                "s > DATE '2020-01-01'               | #4 > 1577836800000",
                "s > TIMESTAMP '2020-01-01 00:00:00.0005' | #4 > 1577836800000",
                "r > 0.5          | #5 > 0.5",
                "r > 0.1e0        | ",
            })
    void comparesAColumnWithALiteralOfTheColumnsType(String condition, String pruned) {
        fixture.add(
                FixtureTable.of("w", 1000, "n DECIMAL", "i INTEGER", "b BIGINT", "d DATE", "s TIMESTAMP", "r REAL"));
        String plan = fixture.physical("SELECT 1 FROM w WHERE " + condition);
        if (pruned == null) {
            assertThat(plan).doesNotContain("prune=");
        } else {
            assertThat(plan).contains("prune=[" + pruned + "]").doesNotContain("cast(");
        }
    }

    @Test
    void countsAnIntegerLiteralBesideADecimalAsItsDigits() {
        fixture.add(FixtureTable.of("w", 1000, "n DECIMAL"));
        assertThat(schema("SELECT n * 3, n + 100, -10 * n, n / 2 FROM w").fields())
                .extracting(f -> f.type().toString())
                .containsExactly("DECIMAL(16, 2)", "DECIMAL(16, 2)", "DECIMAL(17, 2)", "DECIMAL(19, 6)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT min(a), (SELECT sum(o.a)) FROM t AS o",
                "SELECT a, (SELECT sum(p.a) FROM t AS p JOIN t AS q ON (SELECT o.a + p.a) = (SELECT o.a + q.a)) FROM t AS o",
            })
    void refusesSubQueriesThatItCannotDecorrelate(String sql) {
        assertThatThrownBy(() -> fixture.plan(sql))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("not supported");
    }

    @Test
    void showsBothTreesOfAPlan() {
        Planned.Explain explain = (Planned.Explain) fixture.plan("EXPLAIN SELECT a FROM t WHERE b = 1");
        assertThat(explain.logical()).contains("LogicalFilter(condition=[=($1, 1)])");
        assertThat(PlanText.of(explain.plan())).contains("Scan t columns=[a, b] prune=[#1 = 1]");
        assertThat(explain.analyze()).isFalse();
    }

    @Test
    void callsEveryFunctionOfTheRegistries() {
        assertThat(schema(
                                "SELECT greatest(a, b, 3), left(s, 2), reverse(s), length(s), date_trunc('month', d), round(x, 2),"
                                        + " stddev(x) FROM t GROUP BY a, b, s, d, x")
                        .fields())
                .extracting(f -> f.type().toString())
                .containsExactly("INTEGER", "VARCHAR", "VARCHAR", "INTEGER", "DATE", "DOUBLE", "DOUBLE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT a FROM t WHERE a IN (SELECT b FROM t) ORDER BY 1 LIMIT 2",
                "SELECT t.a, count(*) FROM t JOIN t AS u ON t.a = u.b WHERE t.b > 1 + 2 GROUP BY t.a",
                "SELECT a FROM t UNION SELECT b FROM t",
            })
    void plansWithEveryRuleOff(String sql) {
        fixture.set("planner.disabled-rules", "all");
        assertThat(fixture.physical(sql)).contains("Scan t");
    }

    @Test
    void namesARuleThatThereIsNot() {
        fixture.set("planner.disabled-rules", "JoinOrdr");
        assertThatThrownBy(() -> fixture.plan("SELECT a FROM t"))
                .hasMessage("planner.disabled-rules: there is no rule 'JoinOrdr'; did you mean 'JoinOrder'?");
    }

    @Test
    void keepsThePlaceOfWhatMayFailWhenItRuns() {
        PhysicalPlan.Project project =
                (PhysicalPlan.Project) ((Planned.Query) fixture.plan("SELECT 1,\n  a / b FROM t")).plan();
        assertThat(((Expression.Call) project.expressions().get(1)).position())
                .isEqualTo(new SourcePosition(2, 3, 2, 7));
    }
}
