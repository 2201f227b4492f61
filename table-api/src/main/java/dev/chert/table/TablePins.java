package dev.chert.table;

import dev.chert.plan.PhysicalPlan;
import dev.chert.source.memory.MemorySource;
import java.util.ArrayList;
import java.util.List;

/// Holds what a plan reads of tables in memory while it runs.
final class TablePins implements AutoCloseable {
    private final List<MemorySource> pinned = new ArrayList<>();

    private TablePins() {}

    /// Pins all tables in memory that a plan scans.
    ///
    /// @return the caller's, to be closed after the query; null where the plan is stale and is to be made again
    /// @throws dev.chert.error.ValidationException where a table was dropped
    static TablePins of(PhysicalPlan plan) {
        TablePins pins = new TablePins();
        boolean held = false;
        try {
            held = pins.pinAll(plan);
            return held ? pins : null;
        } finally {
            if (!held) {
                pins.close();
            }
        }
    }

    private boolean pinAll(PhysicalPlan plan) {
        if (plan instanceof PhysicalPlan.Scan scan && scan.source() instanceof MemorySource source) {
            if (!source.pin()) {
                return false;
            }
            pinned.add(source);
        }
        for (PhysicalPlan input : plan.inputs()) {
            if (!pinAll(input)) {
                return false;
            }
        }
        return true;
    }

    /// Lets go; a second call does nothing.
    @Override
    public void close() {
        pinned.forEach(MemorySource::unpin);
        pinned.clear();
    }
}
