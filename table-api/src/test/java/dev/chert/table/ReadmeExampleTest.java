package dev.chert.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeExampleTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    @Test
    void theExampleOfTheReadmeStreamsArrowBatches() throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StreamTrips.class.getName())
                .directory(ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String printed;
        try (InputStream out = process.getInputStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            out.transferTo(bytes);
            printed = bytes.toString(StandardCharsets.UTF_8);
        }
        assertThat(process.waitFor()).isZero();
        assertThat(printed.lines()).isNotEmpty().allMatch(line -> line.matches("\\d+ rows, the first from [A-Z].*"));
        assertThat(printed.lines()
                        .mapToInt(line -> Integer.parseInt(line.substring(0, line.indexOf(' '))))
                        .sum())
                .isBetween(3_000, 5_000);
    }

    @Test
    void theReadmeShowsTheExampleAsItIs() throws Exception {
        String source =
                Files.readString(Path.of("src/test/java/dev/chert/table/StreamTrips.java"), StandardCharsets.UTF_8);
        String body = source.substring(source.indexOf("        try (TableEnvironment"), source.lastIndexOf("    }\n}"))
                .stripTrailing()
                .stripIndent();
        assertThat(Files.readString(ROOT.resolve("README.md"), StandardCharsets.UTF_8))
                .contains(body.indent(4).stripTrailing());
    }
}
