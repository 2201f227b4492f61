package dev.chert.cli;

import dev.chert.table.ValueText;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/// Writes a header line and then a row a line, as RFC 4180 has it but with line feeds alone.
///
/// NULL is nothing at all and the empty string `""`. A row of one column that is NULL is an empty line.
final class CsvPrinter implements RowPrinter {
    private final Writer out;

    CsvPrinter(Writer out) {
        this.out = out;
    }

    @Override
    public void begin(List<StatementRunner.Column> columns) throws IOException {
        for (int i = 0; i < columns.size(); i++) {
            separate(i);
            text(columns.get(i).name());
        }
        out.write('\n');
    }

    @Override
    public void row(Object[] values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            separate(i);
            if (values[i] != null) {
                text(ValueText.of(values[i]));
            }
        }
        out.write('\n');
    }

    @Override
    public void end() throws IOException {
        out.flush();
    }

    private void separate(int column) throws IOException {
        if (column > 0) {
            out.write(',');
        }
    }

    private void text(String text) throws IOException {
        if (needsQuotes(text)) {
            out.write('"');
            out.write(text.replace("\"", "\"\""));
            out.write('"');
        } else {
            out.write(text);
        }
    }

    private static boolean needsQuotes(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ',' || c == '"' || c == '\n' || c == '\r') {
                return true;
            }
        }
        return text.isEmpty();
    }
}
