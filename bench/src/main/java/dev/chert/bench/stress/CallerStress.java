package dev.chert.bench.stress;

import dev.chert.batch.Batch;
import dev.chert.memory.ByteSize;
import dev.chert.table.TableResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Iterator;

/// Reads all of lineitem slowly, a batch at a time: the scan must wait for its caller, not fill memory.
final class CallerStress {
    /// The most that may be reserved at any moment, however large the table.
    static final long MOST_BYTES = 64L << 20;

    private final StressedEngine engine;
    private final PrintStream out;

    /// @param engine stays the caller's; has run nothing yet
    CallerStress(StressedEngine engine, PrintStream out) {
        this.engine = engine;
        this.out = out;
    }

    /// @param count batches to take
    /// @param pause before each of them
    /// @return      whether every promise was kept
    boolean run(int count, Duration pause) throws InterruptedException {
        Complaints complaints = new Complaints(out);
        long rows = 0;
        int taken = 0;
        try (TableResult result = engine.environment().executeSql("SELECT * FROM lineitem")) {
            Iterator<Batch> batches = result.batches();
            while (taken < count && batches.hasNext()) {
                Thread.sleep(pause);
                try (Batch batch = batches.next()) {
                    rows += batch.selectedRows();
                    taken++;
                }
            }
        }
        long peak = engine.memory().peakBytes();
        if (peak >= MOST_BYTES) {
            complaints.add("%s were reserved, expected less than %s"
                    .formatted(ByteSize.format(peak), ByteSize.format(MOST_BYTES)));
        }
        if (taken < count) {
            complaints.add("the table has %d batches only, expected more than %d".formatted(taken, count));
        }
        engine.leftovers().forEach(complaints::add);
        out.printf(
                "%d batches, %d rows, one in %d ms: at most %s reserved; %d complaints%n",
                taken, rows, pause.toMillis(), ByteSize.format(peak), complaints.count());
        return complaints.count() == 0;
    }
}
