package dev.chert.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.pipeline.Engine;
import dev.chert.pipeline.QueryExecution;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import dev.chert.source.TableSource;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A scan whose rows are taken slowly: it waits, and holds no more than two workers' row groups and the queue.
class SlowCallerTest {
    private static final long MOST_RESERVED = 40L << 20;
    private static final int BATCHES = 60;
    private static final int PAUSE_MILLIS = 10; // enough for two workers to fill the queue again

    /// TPC-H's lineitem, more or less: 16 columns, three of them text of few values, one of many.
    private static final String QUERY = """
            SELECT i // 4 AS l_orderkey, hash(i) % 200000 AS l_partkey, hash(i) % 10000 AS l_suppkey,
              i % 7 AS l_linenumber, (hash(i) % 50)::DECIMAL(15, 2) AS l_quantity,
              (hash(i) % 10000000)::DECIMAL(15, 2) AS l_extendedprice, (i % 11)::DECIMAL(15, 2) AS l_discount,
              (i % 9)::DECIMAL(15, 2) AS l_tax, chr((65 + i % 3)::INTEGER) AS l_returnflag,
              chr((79 + i % 2)::INTEGER) AS l_linestatus, DATE '1992-01-01' + (hash(i) % 2500)::INTEGER AS l_shipdate,
              DATE '1992-01-01' + (i % 2500)::INTEGER AS l_commitdate,
              DATE '1992-01-01' + (i % 2400)::INTEGER AS l_receiptdate, 'INSTRUCTION ' || i % 4 AS l_shipinstruct,
              'MODE ' || i % 7 AS l_shipmode, md5(i::VARCHAR)[: 10 + i % 20] AS l_comment
            FROM range(600000) t(i)
            """;

    @TempDir
    Path directory;

    @Test
    void holdsLittleMemory() throws Exception {
        Path file = directory.resolve("lineitem.parquet");
        try (DuckDb duckDb = new DuckDb()) {
            duckDb.copy(QUERY, file, "COMPRESSION zstd");
        }
        TableSource source = Reading.source(file);
        List<Integer> columns =
                IntStream.range(0, source.schema().size()).boxed().toList();
        Settings settings = Settings.defaults().with("execution.threads", "2").with("memory.limit", "1GB");
        try (Engine engine = new Engine(settings)) {
            try (QueryExecution query =
                    engine.execute(new PhysicalPlan.Scan(source, columns, List.of(), 600_000), settings)) {
                for (int i = 0; i < BATCHES; i++) {
                    Batch batch = query.take();
                    Thread.sleep(PAUSE_MILLIS);
                    batch.close();
                }
            }
            assertThat(engine.memory().peakBytes()).isBetween(1L << 20, MOST_RESERVED);
            engine.memory().assertEmpty();
        }
    }
}
