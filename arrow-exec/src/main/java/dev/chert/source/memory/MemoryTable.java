package dev.chert.source.memory;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import dev.chert.error.ValidationException;
import dev.chert.kernel.BatchCopier;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import java.util.ArrayList;
import java.util.List;

/// A table in memory: rows that are appended, read and dropped together. Thread-safe.
///
/// Memory: an account of its own, which closes once the table was dropped and nobody pins it.
public final class MemoryTable {
    /// The most rows of a batch.
    static final int BATCH_ROWS = 4096;

    private final String name;
    private final Schema schema;
    private final Account account;
    private final Allocator allocator;
    private final List<Batch> retired = new ArrayList<>();
    private Contents contents;
    private long staleBefore;
    private int pins;
    private boolean dropped;

    /// What the table holds from one commit to the next.
    ///
    /// @param version counts commits
    record Contents(long version, List<Batch> batches, ColumnBounds[] bounds) {
        long rowCount() {
            return batches.stream().mapToLong(Batch::rowCount).sum();
        }
    }

    /// Makes an empty table.
    ///
    /// @param name for messages
    public MemoryTable(String name, Schema schema, MemoryManager memory) {
        this.name = name;
        this.schema = schema;
        this.account = memory.openAccount("table " + name, Long.MAX_VALUE);
        this.allocator = account.allocator("table " + name);
        this.contents = new Contents(0, List.of(), ColumnBounds.none(schema));
    }

    public String name() {
        return name;
    }

    public Schema schema() {
        return schema;
    }

    /// Bytes of memory that it holds.
    public long reservedBytes() {
        return account.budget().reserved();
    }

    /// The table as it is now.
    public synchronized MemorySource source() {
        return new MemorySource(this, contents);
    }

    /// Starts to append; the caller closes it.
    ///
    /// @throws ValidationException where the table was dropped
    public synchronized TableAppender append() {
        demandThere();
        pins++;
        return new TableAppender(this, allocator);
    }

    private void demandThere() {
        if (dropped) {
            throw new ValidationException("table '" + name + "' was dropped");
        }
    }

    /// Frees the memory, at once or when the last pin goes. A second call does nothing.
    public synchronized void drop() {
        dropped = true;
        closeIfUnused();
    }

    /// Adds the batches in one step, joining the short ones at the end.
    ///
    /// @param added given, also where this fails
    synchronized void commit(List<Batch> added, ColumnBounds[] bounds) {
        if (dropped) {
            added.forEach(Batch::close);
            throw new ValidationException("table '" + name + "' was dropped while rows were inserted into it");
        }
        List<Batch> all = new ArrayList<>(contents.batches());
        all.addAll(added);
        List<Batch> replaced;
        try {
            replaced = joinShortTail(all, contents.batches().size());
        } catch (RuntimeException e) { // no memory for it
            added.forEach(Batch::close);
            throw e;
        }
        contents =
                new Contents(contents.version() + 1, List.copyOf(all), ColumnBounds.merge(contents.bounds(), bounds));
        retired.addAll(replaced);
        freeRetired();
    }

    /// Joins batches at the end as long as the one before is no longer than what comes after.
    ///
    /// @param all  changed
    /// @param kept batches at its beginning that others may read
    /// @return     batches that no longer belong to the table and that others may read
    private List<Batch> joinShortTail(List<Batch> all, int kept) {
        int first = all.size();
        int rows = 0;
        while (first > 0
                && all.get(first - 1).rowCount() <= Math.max(rows, all.getLast().rowCount())
                && rows + all.get(first - 1).rowCount() <= BATCH_ROWS) {
            first--;
            rows += all.get(first).rowCount();
        }
        List<Batch> tail = all.subList(first, all.size());
        if (tail.size() < 2) {
            return List.of();
        }
        Batch joined;
        try (BatchCopier copier = new BatchCopier(allocator)) {
            joined = copier.concatenate(tail);
        }
        List<Batch> replaced = new ArrayList<>();
        for (int i = first; i < all.size(); i++) {
            if (i < kept) {
                replaced.add(all.get(i));
            } else {
                all.get(i).close();
            }
        }
        tail.clear();
        all.add(joined);
        return replaced;
    }

    /// Keeps what a source reads in memory.
    ///
    /// @return false where some of it is gone already
    /// @throws ValidationException where the table was dropped
    synchronized boolean pin(Contents read) {
        demandThere();
        if (read.version() < staleBefore) {
            return false;
        }
        pins++;
        return true;
    }

    synchronized void unpin() {
        pins--;
        freeRetired();
        closeIfUnused();
    }

    private void freeRetired() {
        if (pins == 0 && !retired.isEmpty()) {
            retired.forEach(Batch::close);
            retired.clear();
            staleBefore = contents.version();
        }
    }

    private void closeIfUnused() {
        if (dropped && pins == 0) {
            account.close();
        }
    }
}
