package dev.chert.operator.join;

import dev.chert.batch.Layouts;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.SpillBlock;
import dev.chert.memory.SpillFile;
import dev.chert.operator.join.PairCondition.Outcome;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/// What is known of probe rows between one pass over their batches and the next, on disk: the same batches come in
/// the same order each time. Not thread-safe. Memory: the outcomes of one batch, and a few words a batch.
final class PassOutcomes {
    private final SpillFile file;
    private final Buffer scratch;
    private Deque<SpillBlock> before = new ArrayDeque<>(); // of the pass before, those that this one has not read
    private Deque<SpillBlock> stored = new ArrayDeque<>(); // of this pass
    private boolean isFirst;
    private boolean isLast;
    private boolean released;

    /// @param mostRows the most rows of a batch
    PassOutcomes(int mostRows, Allocator allocator) {
        file = allocator.spillFile();
        scratch = allocator.allocate(mostRows);
    }

    /// @param last whether this pass decides: nothing will be stored
    void beginPass(boolean last) {
        isFirst = stored.isEmpty() && before.isEmpty();
        isLast = last;
        before = stored;
        stored = new ArrayDeque<>();
    }

    boolean isLast() {
        return isLast;
    }

    /// Gives the outcomes of the next batch as the pass before left them.
    void load(byte[] outcomes, int rowCount) {
        if (isFirst) {
            Arrays.fill(outcomes, 0, rowCount, Outcome.FALSE);
            return;
        }
        SpillBlock block = before.removeFirst();
        MemorySegment bytes = scratch.segment().asSlice(0, rowCount);
        file.read(block, bytes);
        file.free(block);
        MemorySegment.copy(bytes, Layouts.BYTE, 0, outcomes, 0, rowCount);
    }

    /// Keeps the outcomes of the batch that was loaded last for the next pass.
    void store(byte[] outcomes, int rowCount) {
        MemorySegment bytes = scratch.segment().asSlice(0, rowCount);
        MemorySegment.copy(outcomes, 0, bytes, Layouts.BYTE, 0, rowCount);
        stored.add(file.write(bytes));
    }

    /// Gives back what it holds; a second call does nothing.
    void release() {
        if (!released) {
            released = true;
            before.forEach(file::free);
            stored.forEach(file::free);
            scratch.release();
        }
    }
}
