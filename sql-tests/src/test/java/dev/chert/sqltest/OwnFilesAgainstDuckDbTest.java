package dev.chert.sqltest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Checks what our own files expect: where a record is not marked as ours alone, a second engine must agree.
class OwnFilesAgainstDuckDbTest {
    @TestFactory
    Stream<DynamicTest> agreesOn() throws IOException {
        return OwnFiles.all().stream()
                .map(file -> DynamicTest.dynamicTest(OwnFiles.name(file), () -> {
                    Recorded run = Recorded.run(DuckDbEngine::withNullsHigh, List.of(file));
                    assertThat(run.failures()).isEmpty();
                }));
    }
}
