package dev.chert.sqltest;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A `skipif` or `onlyif` line.
/// @param only    whether the record runs where `subject` holds, else where it does not
/// @param subject the label of an engine, or a comparison of a loop's variable such as `i<3`
record Condition(boolean only, String subject) {
    private static final Pattern COMPARISON = Pattern.compile("(\\w+)(<=|>=|<>|!=|=|<|>)(.*)");

    /// Tells whether the record below the line runs.
    boolean admits(String engineLabel, Map<String, String> variables) {
        Matcher comparison = COMPARISON.matcher(subject);
        boolean holds = comparison.matches()
                ? compare(variables.getOrDefault(comparison.group(1), ""), comparison.group(2), comparison.group(3))
                : subject.equalsIgnoreCase(engineLabel);
        return holds == only;
    }

    private static boolean compare(String value, String operator, String bound) {
        return switch (operator) {
            case "=" -> value.equals(bound);
            case "<>", "!=" -> !value.equals(bound);
            case "<" -> Long.parseLong(value) < Long.parseLong(bound);
            case "<=" -> Long.parseLong(value) <= Long.parseLong(bound);
            case ">" -> Long.parseLong(value) > Long.parseLong(bound);
            case ">=" -> Long.parseLong(value) >= Long.parseLong(bound);
            default -> throw new IllegalStateException("operator " + operator);
        };
    }
}
