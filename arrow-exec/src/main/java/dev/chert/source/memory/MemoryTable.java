package dev.chert.source.memory;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import dev.chert.error.ValidationException;
import dev.chert.kernel.BatchCopier;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.MemoryManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// A table in memory: rows that are appended, read and dropped together. Thread-safe.
///
/// Memory: an account of its own, which closes once the table was dropped and nobody reads or fills it.
public final class MemoryTable {
    /// The most rows of a batch.
    static final int BATCH_ROWS = 4096;

    private final String name;
    private final Schema schema;
    private final Account account;
    private final Allocator allocator;
    private final TreeMap<Long, Integer> pinnedVersions = new TreeMap<>();
    private final List<Retired> retired = new ArrayList<>();
    private Contents contents;
    private long staleBefore;
    private int appenders;
    private boolean dropped;

    /// A batch that was joined with others; whoever reads a version from `since` to before `until` reads it.
    private record Retired(Batch batch, long since, long until) {}

    /// What the table holds from one commit to the next.
    ///
    /// @param version counts commits
    /// @param since   the version that each batch came with
    record Contents(long version, List<Batch> batches, List<Long> since, ColumnBounds[] bounds) {
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
        this.account = memory.openTableAccount("table " + name);
        this.allocator = account.allocator("table " + name);
        this.contents = new Contents(0, List.of(), List.of(), ColumnBounds.none(schema));
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
        appenders++;
        return new TableAppender(this, allocator);
    }

    private void demandThere() {
        if (dropped) {
            throw new ValidationException("table '" + name + "' was dropped");
        }
    }

    /// Frees the memory, at once or when the last reader is done. A second call does nothing.
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
        long version = contents.version() + 1;
        List<Batch> batches = new ArrayList<>(contents.batches());
        List<Long> since = new ArrayList<>(contents.since());
        batches.addAll(added);
        since.addAll(Collections.nCopies(added.size(), version));
        int first = shortTail(batches);
        List<Batch> tail = batches.subList(first, batches.size());
        if (tail.size() > 1) {
            Batch joined;
            try (BatchCopier copier = new BatchCopier(allocator)) {
                joined = copier.concatenate(tail);
            } catch (RuntimeException e) { // no memory for it
                added.forEach(Batch::close);
                throw e;
            }
            for (int i = 0; i < tail.size(); i++) {
                retired.add(new Retired(tail.get(i), since.get(first + i), version));
            }
            tail.clear();
            since.subList(first, since.size()).clear();
            batches.add(joined);
            since.add(version);
        }
        contents = new Contents(
                version, List.copyOf(batches), List.copyOf(since), ColumnBounds.merge(contents.bounds(), bounds));
        freeRetired();
    }

    /// Where the batches begin that are to be joined: going back as long as one is no longer than what comes
    /// after it.
    private static int shortTail(List<Batch> batches) {
        int first = batches.size();
        int rows = 0;
        while (first > 0
                && batches.get(first - 1).rowCount()
                        <= Math.max(rows, batches.getLast().rowCount())
                && rows + batches.get(first - 1).rowCount() <= BATCH_ROWS) {
            first--;
            rows += batches.get(first).rowCount();
        }
        return first;
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
        pinnedVersions.merge(read.version(), 1, Integer::sum);
        return true;
    }

    synchronized void unpin(Contents read) {
        pinnedVersions.computeIfPresent(read.version(), (_, pins) -> pins == 1 ? null : pins - 1);
        freeRetired();
        closeIfUnused();
    }

    synchronized void appenderClosed() {
        appenders--;
        closeIfUnused();
    }

    /// Frees what no pinned version holds; sources of such versions that are not pinned are stale from then on.
    private void freeRetired() {
        retired.removeIf(batch -> {
            Long reader = pinnedVersions.ceilingKey(batch.since());
            if (reader != null && reader < batch.until()) {
                return false;
            }
            batch.batch().close();
            if (batch.since() < batch.until()) {
                staleBefore = Math.max(staleBefore, batch.until());
            }
            return true;
        });
    }

    private void closeIfUnused() {
        if (dropped && appenders == 0 && pinnedVersions.isEmpty()) {
            account.close();
        }
    }
}
