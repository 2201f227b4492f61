package dev.chert.cli;

import dev.chert.table.ValueText;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Writes aligned columns under a header: numbers to the right, all else to the left.
///
/// Holds the first [#LOOK_AHEAD] rows to learn the widths; a later row that is wider runs over.
final class TablePrinter implements RowPrinter {
    static final int LOOK_AHEAD = 1000;

    private final Writer out;
    private final List<String[]> held = new ArrayList<>();
    private List<StatementRunner.Column> columns;
    private int[] widths;
    private boolean first = true;
    private boolean learning;

    TablePrinter(Writer out) {
        this.out = out;
    }

    @Override
    public void begin(List<StatementRunner.Column> columns) throws IOException {
        this.columns = columns;
        widths = columns.stream()
                .mapToInt(column -> TextWidth.of(line(column.name())))
                .toArray();
        learning = true;
        if (!first) {
            out.write('\n');
        }
        first = false;
    }

    @Override
    public void row(Object[] values) throws IOException {
        String[] cells = new String[values.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = values[i] == null ? "NULL" : line(ValueText.of(values[i]));
        }
        if (learning) {
            held.add(cells);
            for (int i = 0; i < cells.length; i++) {
                widths[i] = Math.max(widths[i], TextWidth.of(cells[i]));
            }
            if (held.size() == LOOK_AHEAD) {
                printHeld();
            }
        } else {
            print(cells);
        }
    }

    @Override
    public void end() throws IOException {
        if (learning) {
            printHeld();
        }
        out.flush();
    }

    private void printHeld() throws IOException {
        learning = false;
        print(columns.stream().map(column -> line(column.name())).toArray(String[]::new));
        String[] rules = Arrays.stream(widths).mapToObj("-"::repeat).toArray(String[]::new);
        out.write(String.join("  ", rules));
        out.write('\n');
        for (String[] cells : held) {
            print(cells);
        }
        held.clear();
    }

    private void print(String[] cells) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String padding = " ".repeat(Math.max(0, widths[i] - TextWidth.of(cells[i])));
            text.append(i == 0 ? "" : "  ");
            if (columns.get(i).numeric()) {
                text.append(padding).append(cells[i]);
            } else {
                text.append(cells[i]).append(i == cells.length - 1 ? "" : padding);
            }
        }
        text.append('\n');
        out.write(text.toString());
    }

    /// Keeps a cell on its line.
    private static String line(String text) {
        return text.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t");
    }
}
