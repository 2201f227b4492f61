package dev.chert.build.grammar;

import java.util.ArrayList;
import java.util.List;

/// Named replacements in a grammar template, each of which must match exactly once.
///
/// The file has, for each edit, the lines
///
///     === why this edit is made, which is its name
///     --- find
///     lines of the template
///     --- replace
///     the lines that stand there instead
///
/// Whole lines are found and replaced, blanks at the end of a line aside; text before the first `===` is a comment.
record GrammarEdits(List<Edit> edits) {
    /// @param name    what the edit is for
    /// @param find    text that occurs exactly once in the template
    /// @param replace what stands there instead
    record Edit(String name, String find, String replace) {}

    private enum Part {
        COMMENT,
        NAME,
        FIND,
        REPLACE
    }

    static GrammarEdits read(String file, String text) {
        List<Edit> edits = new ArrayList<>();
        Part part = Part.COMMENT;
        String name = "";
        StringBuilder find = new StringBuilder();
        StringBuilder replace = new StringBuilder();
        int lineNumber = 0;
        for (String line : text.lines().map(String::stripTrailing).toList()) {
            lineNumber++;
            if (line.startsWith("=== ")) {
                close(file, name, part, find, replace, edits);
                name = line.substring(4).strip();
                part = Part.NAME;
            } else if (line.equals("--- find")) {
                expect(file, lineNumber, part, Part.NAME);
                part = Part.FIND;
            } else if (line.equals("--- replace")) {
                expect(file, lineNumber, part, Part.FIND);
                part = Part.REPLACE;
            } else {
                switch (part) {
                    case COMMENT, NAME -> {}
                    case FIND -> find.append(line).append('\n');
                    case REPLACE -> replace.append(line).append('\n');
                }
            }
        }
        close(file, name, part, find, replace, edits);
        return new GrammarEdits(List.copyOf(edits));
    }

    private static void expect(String file, int line, Part found, Part expected) {
        if (found != expected) {
            throw new IllegalArgumentException(file + ", line " + line + ": follows " + found + " where only "
                    + expected + " may stand before it");
        }
    }

    private static void close(
            String file, String name, Part part, StringBuilder find, StringBuilder replace, List<Edit> edits) {
        switch (part) {
            case COMMENT -> {}
            case NAME, FIND -> throw new IllegalArgumentException(file + ": edit '" + name + "' has no '--- replace'");
            case REPLACE -> edits.add(new Edit(name, trimmed(find), trimmed(replace)));
        }
        find.setLength(0);
        replace.setLength(0);
    }

    /// Without the blank lines that set an edit apart from the next.
    private static String trimmed(StringBuilder lines) {
        String text = lines.toString();
        while (text.endsWith("\n\n")) {
            text = text.substring(0, text.length() - 1);
        }
        return text;
    }

    /// @throws IllegalStateException naming each edit that does not match exactly once
    String apply(String template) {
        String text = template.lines()
                .map(String::stripTrailing)
                .reduce(new StringBuilder(), (all, line) -> all.append(line).append('\n'), StringBuilder::append)
                .toString();
        List<String> failures = new ArrayList<>();
        for (Edit edit : edits) {
            int matches = 0;
            int place = -1;
            for (int i = text.indexOf(edit.find()); i >= 0; i = text.indexOf(edit.find(), i + 1)) {
                if (i == 0 || text.charAt(i - 1) == '\n') {
                    matches++;
                    place = i;
                }
            }
            if (matches == 1 && !edit.find().isBlank()) {
                text = text.substring(0, place)
                        + edit.replace()
                        + text.substring(place + edit.find().length());
            } else {
                failures.add("'" + edit.name() + "' matches " + matches
                        + " places of the grammar, it must match exactly one");
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("grammar edits do not fit: " + String.join("; ", failures));
        }
        return text;
    }
}
