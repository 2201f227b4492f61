package dev.chert.cli;

import dev.chert.memory.ByteSize;
import dev.chert.pipeline.QueryProgress;
import java.util.Locale;

/// How far a query is, as one line of less than 80 columns.
///
/// ```
/// [########............]  42 %  2.5 M rows  3.4 s  1.2 GiB spilled
/// ```
final class ProgressLine {
    private static final int CELLS = 20;
    private static final String[] UNITS = {"", " k", " M", " G", " T", " P", " E"};

    private ProgressLine() {}

    static String of(QueryProgress progress) {
        int full = (int) (progress.fraction() * CELLS);
        String bar = "#".repeat(full) + ".".repeat(CELLS - full);
        String line = String.format(
                Locale.ROOT,
                "[%s] %3d %%  %s rows  %.1f s",
                bar,
                (int) (progress.fraction() * 100),
                count(progress.rowsRead()),
                progress.elapsed().toMillis() / 1e3);
        long spilled = progress.spilledBytes();
        return spilled == 0 ? line : line + "  " + ByteSize.format(spilled) + " spilled";
    }

    /// A count in at most five characters and a unit.
    private static String count(long rows) {
        double value = rows;
        int unit = 0;
        while (value >= 1000) {
            value /= 1000;
            unit++;
        }
        return unit == 0 ? Long.toString(rows) : String.format(Locale.ROOT, "%.1f%s", value, UNITS[unit]);
    }
}
