package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.error.ChertException;
import dev.chert.error.QueryCancelledException;
import java.io.IOException;
import java.util.Iterator;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One thread works with an environment whose memory is checked, another one closes it, or the result, at a random
/// moment: the first gets an error of ours or the whole result, and every byte comes back.
@Timeout(120)
class ClosingTest {
    private static final int ROUNDS = 12;
    private static final String ROWS = "SELECT t.a, t.s FROM t, (VALUES (1), (2), (3), (4), (5)) AS v(x)";

    /// What the first thread does.
    private enum Work {
        ROWS {
            @Override
            void run(TableEnvironment environment, CompletableFuture<TableResult> begun) {
                TableResult result = environment.executeSql(ClosingTest.ROWS);
                begun.complete(result);
                for (Iterator<Row> rows = result.rows(); rows.hasNext(); ) {
                    assertThat((String) rows.next().toList().get(1)).startsWith("a string");
                }
            }
        },
        BATCHES {
            @Override
            void run(TableEnvironment environment, CompletableFuture<TableResult> begun) {
                TableResult result = environment.executeSql(ClosingTest.ROWS);
                begun.complete(result);
                for (Iterator<Batch> batches = result.batches(); batches.hasNext(); ) {
                    batches.next().close();
                }
            }
        },
        ARROW {
            @Override
            void run(TableEnvironment environment, CompletableFuture<TableResult> begun) throws IOException {
                TableResult result = environment.executeSql(ClosingTest.ROWS);
                begun.complete(result);
                try (RootAllocator allocator = new RootAllocator();
                        ArrowReader reader = result.arrow(allocator)) {
                    while (reader.loadNextBatch()) {
                        assertThat(reader.getVectorSchemaRoot()
                                        .getVector(1)
                                        .getObject(0)
                                        .toString())
                                .startsWith("a string");
                    }
                }
            }
        },
        INSERT {
            @Override
            void run(TableEnvironment environment, CompletableFuture<TableResult> begun) {
                begun.complete(null);
                environment.executeSql("CREATE TABLE u (a INTEGER, s VARCHAR)").close();
                while (true) {
                    environment.executeSql("INSERT INTO u " + ClosingTest.ROWS).close();
                }
            }
        },
        CREATE {
            @Override
            void run(TableEnvironment environment, CompletableFuture<TableResult> begun) {
                begun.complete(null);
                for (int i = 0; ; i++) {
                    environment
                            .executeSql("CREATE TABLE u" + i + " AS " + ClosingTest.ROWS)
                            .close();
                    environment
                            .executeSql("CREATE TABLE v" + i + " (a INTEGER)")
                            .close();
                }
            }
        };

        abstract void run(TableEnvironment environment, CompletableFuture<TableResult> begun) throws IOException;
    }

    @Test
    void closingTheEnvironmentGivesBackABatchThatWasCopiedButNotTaken() {
        TableEnvironment environment = TestEnvironments.create();
        TestEnvironments.makeNumbers(environment, "t", 20_000);
        Iterator<Batch> batches = environment.executeSql(ROWS).batches();
        assertThat(batches.hasNext()).isTrue();
        environment.close();
        assertThatThrownBy(batches::next).isInstanceOf(QueryCancelledException.class);
    }

    @ParameterizedTest
    @EnumSource(names = "BATCHES", mode = EnumSource.Mode.EXCLUDE) // a batch that was taken is its taker's to close
    void closingTheEnvironmentMeanwhile(Work work) throws Exception {
        close(work, false);
    }

    @ParameterizedTest
    @EnumSource(names = {"ROWS", "BATCHES", "ARROW"})
    void closingTheResultMeanwhile(Work work) throws Exception {
        close(work, true);
    }

    private static void close(Work work, boolean resultFirst) throws Exception {
        Random random = new Random(7);
        for (int round = 0; round < ROUNDS; round++) {
            TableEnvironment environment = TestEnvironments.create();
            TestEnvironments.makeNumbers(environment, "t", 20_000);
            CompletableFuture<TableResult> begun = new CompletableFuture<>();
            CompletableFuture<Void> done = new CompletableFuture<>();
            Thread worker = Thread.ofPlatform().start(() -> {
                try {
                    work.run(environment, begun);
                    done.complete(null);
                } catch (Throwable e) {
                    begun.completeExceptionally(e);
                    done.completeExceptionally(e);
                }
            });
            TableResult result = begun.get();
            TimeUnit.MICROSECONDS.sleep(random.nextInt(15_000));
            if (resultFirst) {
                result.close();
                worker.join();
            }
            environment.close(); // which fails where a byte did not come back
            worker.join();
            if (done.isCompletedExceptionally()) {
                assertThatThrownBy(done::get)
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOf(ChertException.class)
                        .hasMessageMatching(".*(was closed|is closed|was dropped).*");
            }
            assertThat(done.isDone()).isTrue();
        }
    }
}
