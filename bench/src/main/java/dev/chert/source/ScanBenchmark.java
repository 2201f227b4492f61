package dev.chert.source;

import dev.chert.batch.Batch;
import dev.chert.batch.Field;
import dev.chert.batch.Schema;
import dev.chert.bench.tpch.TpchData;
import dev.chert.bench.tpch.TpchTable;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What reading one column of one row group of TPC-H's lineitem costs: 122,880 rows of a Parquet file, from the
/// operating system's cache. Row groups take turns, so that no branch predictor learns one by heart.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ScanBenchmark {
    private static final long MEMORY = 512L << 20;

    @Param({"l_orderkey", "l_extendedprice", "l_discount", "l_shipdate", "l_shipmode", "l_comment"})
    private String column;

    private MemoryManager manager;
    private Account account;
    private Allocator allocator;
    private QueryContext query;
    private TableSource.ScanRequest request;
    private List<? extends Split> splits;
    private int nextSplit;

    @Setup
    public void open() {
        String file = TpchData.ensure(BigDecimal.ONE, System.err::println)
                .file(TpchTable.LINEITEM)
                .toString();
        TableSource source =
                format().open(LocalFileSystem.UNRESTRICTED.list(file), LocalFileSystem.UNRESTRICTED, Map.of());
        manager = new MemoryManager(MEMORY, false);
        account = manager.openAccount("benchmark", MEMORY);
        allocator = account.allocator("scan");
        query = new QueryContext("benchmark", Settings.defaults(), Instant.EPOCH, 1, account);
        request = new TableSource.ScanRequest(List.of(numberOf(column, source.schema())), List.of());
        splits = source.splits(request).splits();
    }

    private static int numberOf(String name, Schema schema) {
        return schema.fields().stream().map(Field::name).toList().indexOf(name);
    }

    private static FileFormat format() {
        for (FileFormat format : ServiceLoader.load(FileFormat.class)) {
            if (format.name().equals("parquet")) {
                return format;
            }
        }
        throw new IllegalStateException("no Parquet format on the class path");
    }

    @TearDown
    public void close() {
        account.close();
        manager.close();
    }

    @Benchmark
    public long rowGroup() {
        Split split = splits.get(nextSplit);
        nextSplit = (nextSplit + 1) % splits.size();
        long rows = 0;
        try (SplitReader reader = split.open(request, query, allocator)) {
            while (reader.next() instanceof Batch batch) {
                rows += batch.rowCount();
                batch.close();
            }
        }
        return rows;
    }
}
