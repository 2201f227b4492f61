package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chert.memory.MemoryManager;
import java.time.Duration;
import java.time.Instant;

/// Environments for tests: engines of their own, two workers, memory checked.
final class TestEnvironments {
    private TestEnvironments() {}

    /// @param settings keys and values, in turn
    static TableEnvironment create(String... settings) {
        EnvironmentSettings.Builder builder = EnvironmentSettings.newInstance()
                .ownEngine()
                .set("test.check-memory", "on")
                .set("execution.threads", "2")
                .set("memory.limit", "256MiB");
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i], settings[i + 1]);
        }
        return TableEnvironment.create(builder.build());
    }

    static MemoryManager memory(TableEnvironment environment) {
        return environment.session().engine().memory();
    }

    /// Makes a table `name` of `rows` rows: a is the row's number from 0, b is a modulo 10, s a long string of b,
    /// and n is NULL in every third row, else a.
    static void makeNumbers(TableEnvironment environment, String name, int rows) {
        StringBuilder values = new StringBuilder("CREATE TABLE " + name + " AS WITH d AS (SELECT * FROM (VALUES ");
        for (int digit = 0; digit < 10; digit++) {
            values.append(digit == 0 ? "(" : ", (").append(digit).append(')');
        }
        values.append(") AS v(x)), n AS (SELECT d1.x + 10 * d2.x + 100 * d3.x + 1000 * d4.x + 10000 * d5.x AS a"
                + " FROM d AS d1, d AS d2, d AS d3, d AS d4, d AS d5)"
                + " SELECT a, a % 10 AS b, 'a string that is longer than a view, ' || CAST(a % 10 AS VARCHAR) AS s,"
                + " CASE WHEN a % 3 > 0 THEN a END AS n FROM n WHERE a < " + rows);
        try (TableResult made = environment.executeSql(values.toString())) {
            assertThat(made.updateCount()).isEqualTo(rows);
        }
    }

    /// Demands that nothing is reserved beyond `expectedBytes`; what a worker still holds gets a moment to come
    /// home.
    static void assertReserved(TableEnvironment environment, long expectedBytes) throws InterruptedException {
        Instant end = Instant.now().plus(Duration.ofSeconds(5));
        while (memory(environment).reservedBytes() != expectedBytes
                && Instant.now().isBefore(end)) {
            Thread.sleep(5);
        }
        assertThat(memory(environment).reservedBytes()).isEqualTo(expectedBytes);
    }
}
