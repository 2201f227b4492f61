package dev.chert.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.error.ValidationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillSettingsTest {
    @TempDir
    private Path directory;

    @Test
    void theDirectoryMayBeMadeLater() {
        Path missing = directory.resolve("missing");
        Settings settings = Settings.defaults().with("spill.directory", missing.toString());
        assertThat(settings.get(Settings.SPILL_DIRECTORY)).contains(missing);
        assertThat(Settings.defaults().get(Settings.SPILL_DIRECTORY)).isEmpty();
    }

    @Test
    void aFileIsNoDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        assertThatThrownBy(() -> Settings.defaults().with("spill.directory", file.toString()))
                .isInstanceOf(ValidationException.class)
                .hasMessage("spill.directory: found '" + file + "', expected the path of a directory");
    }

    @Test
    void theLimitIsASizeOrNone() {
        assertThat(Settings.defaults().get(Settings.SPILL_LIMIT)).isEmpty();
        assertThat(Settings.defaults().with("spill.limit", "2GB").get(Settings.SPILL_LIMIT))
                .contains(2_000_000_000L);
        assertThat(Settings.defaults().with("spill.limit", "none").get(Settings.SPILL_LIMIT))
                .isEmpty();
        assertThatThrownBy(() -> Settings.defaults().with("spill.limit", "much"))
                .isInstanceOf(ValidationException.class)
                .hasMessage("spill.limit: found 'much', expected none, or a size such as 512MB, 4GiB or 1000000");
    }
}
