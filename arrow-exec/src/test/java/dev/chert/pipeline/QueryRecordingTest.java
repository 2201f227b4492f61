package dev.chert.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.chert.batch.Batch;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import dev.chert.source.ReadMetrics;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.DataAmount;
import jdk.jfr.Recording;
import jdk.jfr.Timespan;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryRecordingTest {
    private static final EmptyRows.Gate FAST = () -> {};

    private final Settings settings =
            Settings.defaults().with("memory.limit", "64MiB").with("execution.threads", "1");
    private final Engine engine = new Engine(settings);

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void aRecordingHasTheQueryAndEachNode() throws IOException {
        EmptyRows source = new EmptyRows(
                List.of(new EmptyRows.Rows(70, List.of(40, 30), new ReadMetrics(2, 4096), () -> Thread.sleep(10))), 3);
        PhysicalPlan plan = new PhysicalPlan.Limit(new PhysicalPlan.Scan(source, List.of(), List.of(), 65), 0, 50);
        Instant before = Instant.now();
        List<RecordedEvent> events = recorded(() -> {
            QueryOrigin origin = new QueryOrigin("SELECT FROM t LIMIT 50", Duration.ofNanos(123_456));
            drain(engine.execute(plan, origin, settings));
        });

        RecordedEvent query = only(events, "dev.chert.Query");
        assertThat(query.getString("text")).isEqualTo("SELECT FROM t LIMIT 50");
        assertThat(query.getString("name")).isNotEmpty();
        assertThat(query.getDuration("planningTime")).isEqualTo(Duration.ofNanos(123_456));
        assertThat(query.getLong("rows")).isEqualTo(50);
        assertThat(query.getString("outcome")).isEqualTo("FINISHED");
        assertThat(query.getStartTime()).isAfterOrEqualTo(before.minusMillis(1)).isBefore(Instant.now());
        assertThat(query.getDuration()).isGreaterThan(Duration.ofMillis(18));

        List<RecordedEvent> operators = events.stream()
                .filter(event -> event.getEventType().getName().equals("dev.chert.Operator"))
                .sorted(Comparator.comparing(event -> event.getString("node")))
                .toList();
        assertThat(operators).extracting(event -> event.getString("node")).containsExactly("Limit 0", "Scan 1");
        assertThat(operators).extracting(event -> event.getString("query")).containsOnly(query.getString("name"));
        assertThat(operators).extracting(event -> event.getLong("rows")).containsExactly(50L, 70L);
        assertThat(operators).extracting(event -> event.getLong("batches")).containsExactly(2L, 2L);
        assertThat(operators)
                .extracting(event -> event.getDouble("estimatedRows"))
                .containsExactly(50.0, 65.0);
        RecordedEvent scan = operators.getLast();
        assertThat(scan.getString("detail")).isEqualTo("Scan empty rows columns=[]");
        assertThat(scan.getDuration("ownTime")).isGreaterThan(Duration.ofMillis(18));
        assertThat(scan.getLong("readBytes")).isEqualTo(4096);
        assertThat(scan.getInt("readSplits")).isEqualTo(1);
        assertThat(scan.getInt("prunedSplits")).isEqualTo(3);
    }

    @Test
    void aRecordingHasThePeakOfMemory() throws IOException {
        QueryMetrics[] metrics = new QueryMetrics[1];
        List<RecordedEvent> events =
                recorded(() -> metrics[0] = drain(engine.execute(QueryMetricsTest.numbers(100), settings)));
        assertThat(metrics[0].memoryPeakBytes()).isPositive();
        assertThat(only(events, "dev.chert.Query").getLong("peakMemory")).isEqualTo(metrics[0].memoryPeakBytes());
        assertThat(only(events, "dev.chert.Operator").getLong("peakMemory"))
                .isEqualTo(metrics[0].top().memoryPeakBytes());
    }

    @Test
    void aRecordingHasWhatWasSpilled() throws IOException {
        List<RecordedEvent> events =
                recorded(() -> QueryMetricsTest.spilled(engine).closed());
        assertThat(only(events, "dev.chert.Query").getLong("spilledBytes")).isEqualTo(30_000);
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("dev.chert.Operator"))
                .extracting(event -> event.getLong("spilledBytes"))
                .containsExactlyInAnyOrder(10_000L, 20_000L);
    }

    @Test
    void aRecordingSaysWhatFailedAndWhatWasCancelled() throws IOException {
        PhysicalPlan failing = scan(() -> {
            throw new IllegalArgumentException("it fails");
        });
        List<RecordedEvent> events = recorded(() -> {
            try (QueryExecution execution = engine.execute(failing, settings)) {
                assertThatThrownBy(execution::take).hasMessage("it fails");
            }
            EmptyRows.Rows more = new EmptyRows.Rows(100, Collections.nCopies(100, 1), ReadMetrics.NONE, FAST);
            engine.execute(scan(more), settings)
                    .close(); // more batches than wait for a reader: it cannot have finished
        });
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("dev.chert.Query"))
                .extracting(event -> event.getString("outcome"))
                .containsExactlyInAnyOrder("FAILED", "CANCELLED");
    }

    @Test
    void fieldsHaveLabelsAndUnits() throws IOException {
        List<RecordedEvent> events = recorded(() -> drain(engine.execute(scan(FAST), settings)));
        for (String name : List.of("dev.chert.Query", "dev.chert.Operator")) {
            RecordedEvent event = only(events, name);
            assertThat(event.getEventType().getLabel()).isNotNull();
            assertThat(event.getEventType().getCategoryNames()).containsExactly("Chert");
            event.getFields().forEach(field -> {
                assertThat(field.getLabel()).as(field.getName()).isNotNull();
                if (field.getName().matches(".*(Memory|Bytes)")) {
                    assertThat(field.getAnnotation(DataAmount.class))
                            .as(field.getName())
                            .isNotNull();
                }
                if (field.getName().matches("planningTime|ownTime")) {
                    assertThat(field.getAnnotation(Timespan.class))
                            .as(field.getName())
                            .isNotNull();
                }
            });
        }
    }

    @Test
    void aRecordingWithoutTheEventsGetsNone() throws IOException {
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.disable("dev.chert.Query");
            recording.start();
            assertThat(QueryRecording.begin()).isNull();
            drain(engine.execute(scan(FAST), settings));
            recording.stop();
            Path file = directory.resolve("none.jfr");
            recording.dump(file);
            events = RecordingFile.readAllEvents(file);
        }
        assertThat(events).noneMatch(event -> event.getEventType().getName().startsWith("dev.chert"));
    }

    @Test
    void nothingIsAllocatedWhileNoRecordingIsOn() throws IOException {
        recorded(() -> drain(engine.execute(scan(FAST), settings))); // the recorder is there, with nothing to record
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int recorded = 0;
        long most = 0;
        for (int round = 0; round < 2; round++) { // the first one loads classes
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                recorded += QueryRecording.begin() == null ? 0 : 1;
            }
            most = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(recorded).isZero();
        assertThat(most).isLessThan(1000); // a query's event would take ten thousand times its size
    }

    private List<RecordedEvent> recorded(Runnable queries) throws IOException {
        Path file = Files.createTempFile(directory, "queries", ".jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            queries.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.chert"))
                .toList();
    }

    private static RecordedEvent only(List<RecordedEvent> events, String name) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    private static PhysicalPlan scan(EmptyRows.Gate gate) {
        return scan(new EmptyRows.Rows(10, List.of(10), ReadMetrics.NONE, gate));
    }

    private static PhysicalPlan scan(EmptyRows.Rows split) {
        return new PhysicalPlan.Scan(new EmptyRows(List.of(split), 0), List.of(), List.of(), Double.NaN);
    }

    /// @param execution given
    private static QueryMetrics drain(QueryExecution execution) {
        try (execution) {
            for (Batch batch = execution.take(); batch != null; batch = execution.take()) {
                batch.close();
            }
            return execution.metrics();
        }
    }
}
