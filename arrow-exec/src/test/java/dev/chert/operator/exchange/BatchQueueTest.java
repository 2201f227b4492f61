package dev.chert.operator.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.batch.Batch;
import dev.chert.batch.Column;
import dev.chert.batch.Step;
import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import dev.chert.operator.Sink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How many batches wait for a slow reader.
class BatchQueueTest {
    private static final long LIMIT = 4 << 20;

    private final MemoryManager manager = new MemoryManager(LIMIT, true);
    private final Account account = manager.openAccount("query", Long.MAX_VALUE);
    private final BatchQueue queue = new BatchQueue(3, 1, 0, account.budget());
    private final Sink sink = queue.sink(null);

    @AfterEach
    void close() {
        queue.close();
        account.close();
        manager.close();
    }

    private static Batch batch() {
        return new Batch(new Column[0], 1);
    }

    private void fill() {
        while (sink.ready() == null) {
            sink.accept(batch());
        }
    }

    private int drain() {
        int batches = 0;
        while (queue.poll() instanceof Batch batch) {
            batch.close();
            batches++;
        }
        return batches;
    }

    @Test
    void holdsAsManyBatchesAsItMay() {
        fill();
        assertThat(drain()).isEqualTo(3);
    }

    @Test
    void holdsOneBatchWhileMemoryIsTight() {
        account.budget().reserve(LIMIT);
        fill();
        assertThat(drain()).isEqualTo(1);
        account.budget().release(LIMIT);
        fill();
        assertThat(drain()).isEqualTo(3);
    }

    @Test
    void wakesASinkOnceThereIsRoomAlsoWhereMemoryGotTightMeanwhile() {
        fill();
        Step.Paused full = sink.ready();
        account.budget().reserve(LIMIT);
        for (int batches = 0; batches < 2; batches++) {
            queue.poll();
            assertThat(full.wake().isDone()).isFalse();
        }
        queue.poll();
        assertThat(full.wake().isDone()).isTrue();
        assertThat(sink.ready()).isNull();
        account.budget().release(LIMIT);
    }
}
