package dev.chert.cli;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/// Writes the rows of one result after another in some format; text is buffered until [#end].
interface RowPrinter {
    /// Starts a result.
    void begin(List<StatementRunner.Column> columns) throws IOException;

    /// Writes a row, or keeps it until there are more.
    void row(Object[] values) throws IOException;

    /// Ends the result and flushes.
    void end() throws IOException;

    /// The formats that `--format` knows.
    enum Format {
        TABLE,
        CSV,
        JSON;

        /// Returns a printer that writes to `out`, which stays the caller's.
        RowPrinter printer(Writer out) throws IOException {
            return switch (this) {
                case TABLE -> new TablePrinter(out);
                case CSV -> new CsvPrinter(out);
                case JSON -> new JsonPrinter(out);
            };
        }
    }
}
