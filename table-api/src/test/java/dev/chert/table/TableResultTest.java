package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Layouts;
import dev.chert.error.QueryCancelledException;
import dev.chert.error.ResourceException;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.pipeline.QueryMetrics;
import dev.chert.pipeline.QueryProgress;
import dev.chert.plan.PhysicalPlan;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableResultTest {
    private static final int ROWS = 50_000;

    private final TableEnvironment environment = TestEnvironments.create();
    private long tableBytes;

    @BeforeEach
    void makeTable() {
        TestEnvironments.makeNumbers(environment, "t", ROWS);
        tableBytes = TestEnvironments.memory(environment).reservedBytes();
    }

    @AfterEach
    void closingLeavesNothing() {
        environment.close();
    }

    @Test
    void aBatchStaysRightAfterItsQueryClosedAndOthersRan() throws Exception {
        List<Batch> held = new ArrayList<>();
        try (TableResult result = environment.executeSql("SELECT a, s FROM t WHERE a % 7 = 0")) {
            result.batches().forEachRemaining(held::add);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(environment
                            .executeSql("SELECT s, sum(a) FROM t GROUP BY s ORDER BY s")
                            .collect())
                    .hasSize(10);
        }

        ColumnReader numbers = ColumnReader.of(held.getFirst().column(0).type());
        ColumnReader strings = ColumnReader.of(held.getFirst().column(1).type());
        List<Integer> seen = new ArrayList<>();
        for (Batch batch : held) {
            Object[][] rows = new Object[batch.rowCount()][2];
            numbers.read(batch.column(0), null, batch.rowCount(), rows, 0);
            strings.read(batch.column(1), null, batch.rowCount(), rows, 1);
            for (Object[] row : rows) {
                seen.add((Integer) row[0]);
                assertThat(row[1]).isEqualTo("a string that is longer than a view, " + (Integer) row[0] % 10);
            }
            batch.close();
        }
        assertThat(seen).hasSize((ROWS + 6) / 7).doesNotHaveDuplicates().allMatch(a -> a % 7 == 0);
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void whatIsReadAheadOfTheCallerComesBackWithTheResult() throws Exception {
        try (TableResult result = environment.executeSql("SELECT s, b FROM t")) {
            Iterator<Batch> batches = result.batches();
            batches.next().close();
            assertThat(batches.hasNext()).isTrue();
        }
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void closingEarlyStopsTheScan() throws Exception {
        TableResult result = environment.executeSql("SELECT t.a FROM t, t AS u, t AS v");
        Iterator<Row> rows = result.rows();
        rows.next();
        result.close();

        assertThatThrownBy(() -> rows.forEachRemaining(row -> {})).isInstanceOf(QueryCancelledException.class);
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void aResultReadToItsEndNeedsNoClosing() throws Exception {
        TableResult result = environment.executeSql("SELECT b, s FROM t");
        result.rows().forEachRemaining(row -> {});
        TestEnvironments.assertReserved(environment, tableBytes);
        assertThat(result.metrics().orElseThrow().rows()).isEqualTo(ROWS);
    }

    @Test
    void metricsAndProgressGrowWhileTheQueryRunsAndStay() {
        String sql = "SELECT a FROM t WHERE a >= 0";
        TableResult result = environment.executeSql(sql);
        QueryMetrics metrics = result.metrics().orElseThrow();
        try (Batch first = result.batches().next()) {
            assertThat(metrics.outcome()).isEqualTo(QueryMetrics.Outcome.RUNNING);
            assertThat(metrics.rows()).isEqualTo(first.rowCount());
            QueryProgress progress = result.progress().orElseThrow();
            assertThat(progress.fraction()).isPositive().isLessThan(1);
            assertThat(progress.rowsGiven()).isEqualTo(first.rowCount());
            assertThat(progress.rowsRead()).isGreaterThanOrEqualTo(first.rowCount());
            assertThat(environment.progress())
                    .extracting(QueryProgress::rowsGiven)
                    .containsExactly(progress.rowsGiven());
        }
        result.close();
        assertThat(environment.progress()).isEmpty();
        assertThat(metrics.outcome()).isEqualTo(QueryMetrics.Outcome.CANCELLED);

        TableResult again = environment.executeSql(sql);
        again.collect();
        QueryMetrics whole = again.metrics().orElseThrow();
        assertThat(whole.outcome()).isEqualTo(QueryMetrics.Outcome.FINISHED);
        assertThat(whole.text()).isEqualTo(sql);
        assertThat(whole.planningTime()).isPositive();
        assertThat(whole.elapsed()).isPositive();
        assertThat(whole.memoryPeakBytes()).isPositive();
        assertThat(whole.top().estimatedRows()).isPositive();
        assertThat(again.progress().orElseThrow().fraction()).isEqualTo(1);
        assertThat(again.progress().orElseThrow().rowsGiven()).isEqualTo(ROWS);
    }

    @Test
    void aStatementWithoutRowsHasNoMetrics() {
        try (TableResult result = environment.executeSql("CREATE TABLE u (x INTEGER)")) {
            assertThat(result.metrics()).isEmpty();
            assertThat(result.progress()).isEmpty();
        }
    }

    @Test
    void aTableHasTheTextOfItsQueryInMetrics() {
        TableResult result = environment.sqlQuery("SELECT count(*) FROM t").execute();
        result.collect();
        assertThat(result.metrics().orElseThrow().text()).isEqualTo("SELECT count(*) FROM t");
        TableResult scan = environment.from("t").execute();
        scan.collect();
        assertThat(scan.metrics().orElseThrow().text()).isEmpty();
    }

    @Test
    void aFailedResultNeedsNoClosing() throws Exception {
        TableResult result = environment.executeSql("SELECT 1 / (a - 40000) FROM t");
        assertThatThrownBy(() -> result.rows().forEachRemaining(row -> {})).isInstanceOf(ValidationException.class);
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void cancellingFromAnotherThreadEndsTheReading() throws Exception {
        TableResult result = environment.executeSql("SELECT count(*) FROM t, t AS u, t AS v");
        Thread canceller = Thread.ofPlatform().start(result::cancel);
        assertThatThrownBy(result::collect)
                .isInstanceOf(QueryCancelledException.class)
                .hasMessageContaining("its result was cancelled");
        canceller.join();
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void closingTheEnvironmentEndsTheReading() throws Exception {
        TableResult result = environment.executeSql("SELECT count(*) FROM t, t AS u, t AS v");
        Thread closer = Thread.ofPlatform().start(environment::close);
        assertThatThrownBy(result::collect).isInstanceOf(QueryCancelledException.class);
        closer.join();
        assertThatThrownBy(() -> environment.executeSql("SELECT 1"))
                .isInstanceOf(ValidationException.class)
                .hasMessage("the environment is closed; make another one");
    }

    @Test
    void aTableThatDoesNotFitLeavesNothing() throws Exception {
        environment.executeSql("CREATE TABLE big AS SELECT a, s FROM t").close();
        assertThatThrownBy(() -> {
                    while (true) {
                        environment
                                .executeSql("INSERT INTO big SELECT a, s FROM big")
                                .close();
                    }
                })
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("table big");
        assertThat(environment
                        .executeSql("SELECT count(*) % " + ROWS + " FROM big")
                        .collect())
                .containsExactly(Row.of(0));
        environment.executeSql("DROP TABLE big").close();
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void aTimeoutEndsAQuery() {
        environment.getConfig().set("query.timeout", "50ms");
        assertThatThrownBy(() -> environment
                        .executeSql("SELECT count(*) FROM t, t AS u, t AS v")
                        .collect())
                .isInstanceOf(QueryCancelledException.class)
                .hasMessageContaining("query.timeout");
    }

    @Test
    void arrowVectorsHoldTheRows() throws Exception {
        long sum = 0;
        long count = 0;
        try (RootAllocator allocator = new RootAllocator();
                TableResult result = environment.executeSql("SELECT CAST(a AS BIGINT) AS a, n, s FROM t WHERE b < 5");
                ArrowReader reader = result.arrow(allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            while (reader.loadNextBatch()) {
                BigIntVector a = (BigIntVector) root.getVector("a");
                IntVector n = (IntVector) root.getVector("n");
                for (int row = 0; row < root.getRowCount(); row++) {
                    sum += a.get(row);
                    count++;
                    assertThat(n.isNull(row)).isEqualTo(a.get(row) % 3 == 0);
                    assertThat(root.getVector("s").getObject(row))
                            .hasToString("a string that is longer than a view, " + a.get(row) % 10);
                }
            }
        }
        assertThat(count).isEqualTo(ROWS / 2);
        assertThat(List.of(Row.of(sum)))
                .isEqualTo(environment
                        .executeSql("SELECT sum(CAST(a AS BIGINT)) FROM t WHERE b < 5")
                        .collect());
    }

    @Test
    void arrowDataIsATable() {
        try (RootAllocator allocator = new RootAllocator();
                IntVector vector = new IntVector("x", allocator)) {
            vector.allocateNew(3);
            vector.set(0, 10);
            vector.setNull(1);
            vector.set(2, 30);
            vector.setValueCount(3);
            VectorSchemaRoot root = VectorSchemaRoot.of(vector);
            Table table = environment.fromArrow(List.of(root));
            environment.createTemporaryView("arrow", table);

            assertThat(table.execute().collect()).containsExactly(Row.of(10), Row.of((Object) null), Row.of(30));
            assertThat(environment
                            .executeSql("SELECT sum(x), count(*) FROM arrow")
                            .collect())
                    .containsExactly(Row.of(40L, 3L));
        }
    }

    @Test
    void anArrowReaderIsATableThatIsReadOnce() throws Exception {
        try (RootAllocator allocator = new RootAllocator();
                TableResult result = environment.executeSql("SELECT a, s FROM t WHERE b = 3");
                ArrowReader reader = result.arrow(allocator)) {
            environment.createTemporaryView("stream", environment.fromArrow(reader));
            environment
                    .executeSql("CREATE TABLE copied AS SELECT * FROM stream")
                    .close();
            assertThatThrownBy(
                            () -> environment.executeSql("SELECT * FROM stream").collect())
                    .isInstanceOf(TableException.class)
                    .hasMessageContaining("can be read once");
        }
        assertThat(environment
                        .executeSql("SELECT count(*), min(s), max(s) FROM copied")
                        .collect())
                .containsExactly(Row.of(
                        ROWS / 10L,
                        "a string that is longer than a view, 3",
                        "a string that is longer than a view, 3"));
    }

    @Test
    void closingTheArrowReaderEarlyEndsTheQuery() throws Exception {
        try (RootAllocator allocator = new RootAllocator();
                ArrowReader reader = environment
                        .executeSql("SELECT t.a FROM t, t AS u, t AS v")
                        .arrow(allocator)) {
            assertThat(reader.loadNextBatch()).isTrue();
            assertThat(reader.getVectorSchemaRoot().getRowCount()).isPositive();
        }
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void aDroppedTableLastsAsLongAsItsReaders() throws Exception {
        TableResult result = environment.executeSql("SELECT a FROM t");
        Iterator<Row> rows = result.rows();
        rows.next();
        environment.executeSql("DROP TABLE t").close();

        int count = 1;
        while (rows.hasNext()) {
            rows.next();
            count++;
        }
        assertThat(count).isEqualTo(ROWS);
        TestEnvironments.assertReserved(environment, 0);
    }

    @Test
    void aPlanSurvivesSerialisation() throws Exception {
        PhysicalPlan plan = environment
                .session()
                .plan(environment
                        .sqlQuery("SELECT t.s, count(*) FROM t JOIN t AS u ON t.a = u.n WHERE u.b > 3 GROUP BY t.s"
                                + " ORDER BY t.s LIMIT 3")
                        .origin());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(plan);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            PhysicalPlan copy = (PhysicalPlan) in.readObject();
            assertThat(environment.session().run(copy).collect())
                    .hasSize(3)
                    .isEqualTo(environment.session().run(plan).collect());
        }
    }

    @Test
    void environmentsShareTheEngineUnlessTheyAskForAnother() {
        EnvironmentSettings plain = EnvironmentSettings.newInstance()
                .set("execution.batch-size", "100")
                .build();
        EnvironmentSettings other =
                EnvironmentSettings.newInstance().set("memory.limit", "77MiB").build();
        try (TableEnvironment first = TableEnvironment.create(plain);
                TableEnvironment second = TableEnvironment.create();
                TableEnvironment third = TableEnvironment.create(other)) {
            assertThat(first.session().engine()).isSameAs(second.session().engine());
            assertThat(third.session().engine()).isNotSameAs(first.session().engine());
            first.executeSql("CREATE TABLE x AS SELECT 1 AS a").close();
            assertThat(second.listTables()).isEmpty();
        }
    }

    @Test
    void manyThreadsRunQueriesAtATime() throws Exception {
        List<Row> expected = environment
                .executeSql("SELECT b, sum(a), count(n) FROM t GROUP BY b ORDER BY b")
                .collect();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int number = thread;
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 10; i++) {
                        assertThat(environment
                                        .executeSql("SELECT b, sum(a), count(n) FROM t GROUP BY b ORDER BY b")
                                        .collect())
                                .isEqualTo(expected);
                        environment
                                .executeSql("CREATE TABLE own" + number + " AS SELECT a FROM t WHERE b = " + number)
                                .close();
                        environment
                                .executeSql("INSERT INTO own" + number + " SELECT * FROM own" + number)
                                .close();
                        assertThat(environment
                                        .executeSql("SELECT count(*) FROM own" + number)
                                        .collect())
                                .containsExactly(Row.of(ROWS / 5L));
                        environment.executeSql("DROP TABLE own" + number).close();
                    }
                }));
            }
            for (Future<?> future : done) {
                future.get();
            }
        }
        TestEnvironments.assertReserved(environment, tableBytes);
    }

    @Test
    void insertsOfSeveralThreadsAllArrive() throws Exception {
        environment.executeSql("CREATE TABLE target (a INTEGER)").close();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                done.add(threads.submit(() -> {
                    for (int i = 0; i < 50; i++) {
                        environment
                                .executeSql("INSERT INTO target VALUES (" + i + ")")
                                .close();
                        environment.executeSql("SELECT count(*) FROM target").collect();
                    }
                }));
            }
            for (Future<?> future : done) {
                future.get();
            }
        }
        assertThat(environment.executeSql("SELECT count(*), sum(a) FROM target").collect())
                .containsExactly(Row.of(200L, 4L * 49 * 50 / 2));
    }

    @Test
    void batchesNeverHaveMoreRowsThanAskedFor() {
        environment.getConfig().set("execution.batch-size", "7");
        try (TableResult result = environment.executeSql("SELECT a FROM t WHERE a < 100")) {
            long sum = 0;
            for (Iterator<Batch> batches = result.batches(); batches.hasNext(); ) {
                try (Batch batch = batches.next()) {
                    assertThat(batch.rowCount()).isBetween(1, 7);
                    for (int row = 0; row < batch.rowCount(); row++) {
                        sum += batch.column(0)
                                .values()
                                .getAtIndex(Layouts.INT, batch.column(0).valueRow(row));
                    }
                }
            }
            assertThat(sum).isEqualTo(99 * 100 / 2);
        }
    }
}
