package dev.chert.sqltest;

import java.nio.file.Path;
import java.util.List;

/// Counts the records of a run and hands on what a reader wants to see at once; used by one thread at a time.
public final class SltReport {
    /// A record that did not do what it says.
    /// @param expected what should have come; may be several lines
    /// @param found    what came
    public record Failure(Path file, int line, String sql, String expected, String found) {
        private static final int MOST_LINES = 25;

        @Override
        public String toString() {
            return "%s:%d\n%s\n  expected\n%s\n  found\n%s"
                    .formatted(file, line, indent(sql, "  "), indent(expected, "    "), indent(found, "    "));
        }

        private static String indent(String text, String margin) {
            List<String> lines = text.stripTrailing().lines().toList();
            String shown = String.join("\n" + margin, lines.subList(0, Math.min(MOST_LINES, lines.size())));
            int hidden = lines.size() - MOST_LINES;
            return margin + shown + (hidden <= 0 ? "" : "\n%s(and %d more lines)".formatted(margin, hidden));
        }
    }

    /// Hears of failures and skipped records while files run.
    public interface Listener {
        /// A record failed.
        void failed(Failure failure);

        /// Records from `line` on do not run.
        void skipped(Path file, int line, String reason);
    }

    private final Listener listener;
    private long passed;
    private long failed;
    private long skipped;

    /// Makes a report of nothing yet.
    public SltReport(Listener listener) {
        this.listener = listener;
    }

    void pass() {
        passed++;
    }

    void fail(Failure failure) {
        failed++;
        listener.failed(failure);
    }

    void skip(long records) {
        skipped += records;
    }

    void skip(Path file, int line, String reason, long records) {
        skipped += records;
        listener.skipped(file, line, reason);
    }

    /// Returns how many records did what they say.
    public long passed() {
        return passed;
    }

    /// Returns how many did not.
    public long failed() {
        return failed;
    }

    /// Returns how many did not run.
    public long skipped() {
        return skipped;
    }

    /// Returns the closing line of a run.
    public String summary() {
        return "%d passed, %d failed, %d skipped".formatted(passed, failed, skipped);
    }
}
