package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a fresh JVM loads for a statement: nothing that it does not need.
class ColdStartTest {
    @TempDir
    private Path folder;

    /// Runs its arguments as statements, then reads the files that follow `--file` without SQL.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            try (TableEnvironment environment = TableEnvironment.create()) {
                boolean file = false;
                for (String argument : arguments) {
                    if (argument.equals("--file")) {
                        file = true;
                    } else if (file) {
                        environment.fromFile(argument).execute().forEach(row -> {});
                    } else {
                        environment.executeSql(argument).forEach(row -> {});
                    }
                }
            }
        }
    }

    @Test
    void settingsAndTablesLoadNeitherFormatsNorArrowNorJanino() throws Exception {
        assertThat(of(
                        List.of(
                                "org.apache.arrow.",
                                "org.apache.parquet.",
                                "dev.chert.formats.",
                                "io.airlift.",
                                "org.codehaus.janino."),
                        loaded(
                                "SET execution.batch-size = 1024",
                                "CREATE TABLE t (a INTEGER, b VARCHAR)",
                                "INSERT INTO t VALUES (1, 'x')",
                                "SELECT a + 1, b FROM t WHERE a > 0")))
                .isEmpty();
    }

    @Test
    void readingAFileAsItIsLoadsNoCalcite() throws Exception {
        List<String> loaded = loaded(
                "--file", Path.of("../samples/trips.parquet").toAbsolutePath().toString());
        assertThat(of(List.of("dev.chert.formats.parquet."), loaded)).isNotEmpty();
        assertThat(of(List.of("org.apache.calcite.", "org.apache.arrow.", "org.codehaus."), loaded))
                .isEmpty();
    }

    private static List<String> of(List<String> packages, List<String> classes) {
        return classes.stream()
                .filter(name -> packages.stream().anyMatch(name::startsWith))
                .toList();
    }

    private List<String> loaded(String... arguments) throws IOException, InterruptedException {
        Path log = folder.resolve("classes.txt");
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xlog:class+load:file=" + log + ":none:filecount=0",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("output.txt")))
                .isZero();
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.map(line -> line.split(" ")[0]).distinct().toList();
        }
    }
}
