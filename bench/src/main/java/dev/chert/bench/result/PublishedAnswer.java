package dev.chert.bench.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The rows that a benchmark's publisher gives for a query, as text; an empty cell is NULL.
///
/// @param columns the header
/// @param ignored columns whose cells are not comparable, since they depend on the generator's version
public record PublishedAnswer(List<String> columns, List<List<String>> rows, Set<String> ignored) {

    /// Reads a file with a header line and cells between `|`; double quotes around a cell may hold separators and line
    /// ends.
    /// @throws UncheckedIOException if the file cannot be read
    public static PublishedAnswer read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the published answer " + file, e);
        }
    }

    /// Returns this answer with columns that nobody compares.
    public PublishedAnswer ignoring(Set<String> names) {
        return new PublishedAnswer(columns, rows, Set.copyOf(names));
    }

    static PublishedAnswer parse(String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                boolean doubled = quoted && i + 1 < text.length() && text.charAt(i + 1) == '"';
                if (doubled) {
                    cell.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (quoted || (c != '|' && c != '\n')) {
                cell.append(c);
            } else {
                row.add(cell.toString());
                cell.setLength(0);
                if (c == '\n') {
                    rows.add(List.copyOf(row));
                    row.clear();
                }
            }
        }
        if (!row.isEmpty() || !cell.isEmpty()) {
            row.add(cell.toString());
            rows.add(List.copyOf(row));
        }
        return new PublishedAnswer(rows.getFirst(), List.copyOf(rows.subList(1, rows.size())), Set.of());
    }
}
