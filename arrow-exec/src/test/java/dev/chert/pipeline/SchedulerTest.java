package dev.chert.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SchedulerTest {
    private static final int THREADS = 2;

    private static final long LIMIT = 1 << 20;

    private final AtomicBoolean stop = new AtomicBoolean();
    private final CountDownLatch release = new CountDownLatch(1);
    private final MemoryManager memory = new MemoryManager(LIMIT, true);
    private final Account account = memory.openAccount("test", LIMIT);
    private final Scheduler scheduler = new Scheduler(THREADS, memory);

    @AfterEach
    void close() {
        stop.set(true);
        release.countDown();
        scheduler.close();
        account.close();
        memory.close();
    }

    @Test
    void aShortQueryBesideLongOnesDoesNotWaitForTheirSlices() throws Exception {
        for (int i = 0; i < 8; i++) {
            startLong(scheduler.newShare(), 2 * THREADS);
        }
        Thread.sleep(500); // they have had their first 50 ms then
        List<Long> latencies = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            long start = System.nanoTime();
            scheduler.submit(scheduler.newShare(), _ -> done.complete(null));
            done.get();
            latencies.add(System.nanoTime() - start);
        }
        Collections.sort(latencies);
        assertThat(TimeUnit.NANOSECONDS.toMillis(latencies.get(100))).isLessThan(10);
    }

    @Test
    void whileMemoryIsTightYoungerQueriesWaitAndGoOnWhenItIsNot() throws Exception {
        startLong(scheduler.newShare(), THREADS);
        QueryShare younger = scheduler.newShare();
        younger.nanos = QueryShare.FIRST_NANOS;
        account.budget().reserve(LIMIT);
        assertThat(memory.isOverSoftLimit()).isTrue();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.submit(younger, _ -> ran.countDown());
        assertThat(ran.await(100, TimeUnit.MILLISECONDS)).isFalse();
        account.budget().release(LIMIT);
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aYoungerQueryThatIsBeingStoppedRunsAlsoWhileMemoryIsTight() throws Exception {
        startLong(scheduler.newShare(), THREADS);
        QueryShare younger = scheduler.newShare();
        younger.nanos = QueryShare.FIRST_NANOS;
        account.budget().reserve(LIMIT);
        assertThat(memory.isOverSoftLimit()).isTrue();
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.submit(younger, _ -> ran.countDown());
        scheduler.hasten(younger);
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theNextEldestGoesOnWhenTheEldestHasNothingToDo() throws Exception {
        account.budget().reserve(LIMIT);
        assertThat(memory.isOverSoftLimit()).isTrue();
        CountDownLatch occupied = new CountDownLatch(1);
        QueryShare eldest = scheduler.newShare();
        eldest.nanos = QueryShare.FIRST_NANOS;
        scheduler.submit(eldest, _ -> {
            occupied.countDown();
            await(release);
        });
        occupied.await();
        QueryShare younger = scheduler.newShare();
        younger.nanos = QueryShare.FIRST_NANOS;
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.submit(younger, _ -> ran.countDown());
        assertThat(ran.await(50, TimeUnit.MILLISECONDS)).isFalse();
        release.countDown();
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /// Tasks that use every slice up and come back until the test ends.
    private void startLong(QueryShare share, int tasks) {
        for (int i = 0; i < tasks; i++) {
            Task task = new Task() {
                @Override
                public void run(TimeSlice slice) {
                    while (!slice.isOver() && !stop.get()) {
                        Thread.onSpinWait();
                    }
                    if (!stop.get()) {
                        scheduler.submit(share, this);
                    }
                }
            };
            scheduler.submit(share, task);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
