package dev.chert.build.grammar;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the data that a grammar template is expanded with: nested `name: value` maps, `[lists]`, strings and booleans.
///
/// It is the part of FMPP's data format that Calcite's `default_config.fmpp` uses; our own `parser.data` is written in
/// it too. Separators are commas or white space, `#` starts a comment.
final class GrammarData {
    private final String name;
    private final String text;
    private int offset;

    private GrammarData(String name, String text) {
        this.name = name;
        this.text = text;
    }

    /// Reads a whole file, which is the inside of a map.
    static Map<String, Object> read(String name, String text) {
        GrammarData reader = new GrammarData(name, text);
        Map<String, Object> map = reader.entries('\0');
        return map;
    }

    private Map<String, Object> entries(char end) {
        Map<String, Object> map = new LinkedHashMap<>();
        while (!atEnd(end)) {
            String key = word();
            skipBlank();
            if (offset == text.length() || text.charAt(offset) != ':') {
                throw error("expected ':' after " + key);
            }
            offset++;
            map.put(key, value());
        }
        return map;
    }

    private Object value() {
        skipBlank();
        if (offset == text.length()) {
            throw error("expected a value");
        }
        return switch (text.charAt(offset)) {
            case '{' -> {
                offset++;
                yield entries('}');
            }
            case '[' -> {
                offset++;
                List<Object> list = new ArrayList<>();
                while (!atEnd(']')) {
                    list.add(value());
                }
                yield list;
            }
            case '"' -> string();
            default -> {
                String word = word();
                yield switch (word) {
                    case "true" -> Boolean.TRUE;
                    case "false" -> Boolean.FALSE;
                    default -> word;
                };
            }
        };
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        for (offset++; offset < text.length(); offset++) {
            char c = text.charAt(offset);
            if (c == '"') {
                offset++;
                return string.toString();
            }
            if (c == '\\' && offset + 1 < text.length()) {
                c = text.charAt(++offset);
            }
            string.append(c);
        }
        throw error("a string is not closed");
    }

    private String word() {
        int start = offset;
        while (offset < text.length()
                && (Character.isLetterOrDigit(text.charAt(offset)) || "._-/".indexOf(text.charAt(offset)) >= 0)) {
            offset++;
        }
        if (start == offset) {
            throw error("expected a word");
        }
        return text.substring(start, offset);
    }

    private boolean atEnd(char end) {
        skipBlank();
        if (offset < text.length() && text.charAt(offset) == end) {
            offset++;
            return true;
        }
        if (offset < text.length()) {
            return false;
        }
        if (end == '\0') {
            return true;
        }
        throw error("expected '" + end + "'");
    }

    private void skipBlank() {
        while (offset < text.length()) {
            char c = text.charAt(offset);
            if (c == '#') {
                int lineEnd = text.indexOf('\n', offset);
                offset = lineEnd < 0 ? text.length() : lineEnd;
            } else if (Character.isWhitespace(c) || c == ',') {
                offset++;
            } else {
                return;
            }
        }
    }

    private IllegalArgumentException error(String what) {
        long line = text.substring(0, Math.min(offset, text.length())).lines().count();
        return new IllegalArgumentException(name + ", line " + line + ": " + what);
    }
}
