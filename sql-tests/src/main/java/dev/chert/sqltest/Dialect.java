package dev.chert.sqltest;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// Whose habits a file follows.
public enum Dialect {
    /// One value a line, printed by the type letter of its column.
    SQLITE,
    /// A row a line, separated by tabs; type letters mean nothing; rows without an ORDER BY come in insertion order.
    DUCKDB,
    /// A row a line, separated by blanks; type letters mean something.
    DATAFUSION,
    /// As [#DATAFUSION], and strict: letters, scales of decimals and messages of errors are part of the test.
    CHERT;

    private static final int HEAD_LINES = 20;

    /// Recognises the dialect of a file by its name and its first lines.
    static Dialect of(Path file, List<String> lines) {
        String name = file.getFileName().toString();
        for (String line : lines.subList(0, Math.min(HEAD_LINES, lines.size()))) {
            if (line.startsWith("# name:") || line.startsWith("# from duckdb/")) {
                return DUCKDB;
            }
            if (line.startsWith("# Licensed to the Apache Software Foundation")) {
                return DATAFUSION;
            }
        }
        return name.endsWith(".test") ? SQLITE : name.endsWith(".test_slow") ? DUCKDB : CHERT;
    }

    /// Tells whether an engine is the one that the files of this dialect were written for.
    boolean isHomeOf(String engineLabel) {
        return name().toLowerCase(Locale.ROOT).equals(engineLabel);
    }

    /// Tells whether `{name}` stands for a variable as `${name}` does.
    boolean hasBareVariables() {
        return this == DUCKDB;
    }
}
