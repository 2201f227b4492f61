package dev.chert.sqltest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/// Reads a file into records.
///
/// Records are separated by blank lines; a line that starts with `#` outside of SQL and results is a comment.
final class SltParser {
    private static final String RESULTS = "----";
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");
    private static final Pattern CONNECTION = Pattern.compile("con\\d+");
    private static final List<String> SIGNED = List.of("tinyint", "smallint", "integer", "bigint", "hugeint");
    private static final List<String> INTEGRAL =
            concat(SIGNED, List.of("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"));
    private static final List<String> NUMERIC = concat(INTEGRAL, List.of("float", "double"));
    private static final Map<String, List<String>> VALUE_SETS = Map.of(
            "<signed>", SIGNED,
            "<unsigned>", List.of("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"),
            "<integral>", INTEGRAL,
            "<numeric>", NUMERIC,
            "<alltypes>", concat(NUMERIC, List.of("bool", "interval", "varchar")));

    private final Dialect dialect;
    private final List<String> lines;
    private int next;

    private SltParser(Dialect dialect, List<String> lines) {
        this.dialect = dialect;
        this.lines = lines;
    }

    /// Reads all records of a file.
    /// @throws SltFormatException at the first line that is no record
    static List<SltRecord> parse(Dialect dialect, List<String> lines) {
        return new SltParser(dialect, lines).records(false);
    }

    private List<SltRecord> records(boolean inLoop) {
        List<SltRecord> records = new ArrayList<>();
        List<Condition> conditions = new ArrayList<>();
        int loopLine = next;
        while (next < lines.size()) {
            String line = lines.get(next++);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            List<String> words = words(line);
            switch (words.getFirst()) {
                case "skipif", "onlyif" ->
                    conditions.add(new Condition(words.get(0).equals("onlyif"), word(words, 1)));
                case "hash-threshold", "tags", "subtest", "sleep" -> {} // say nothing about what is expected
                case "endloop" -> {
                    if (!inLoop) {
                        throw problem("endloop without a loop above it");
                    }
                    return records;
                }
                default -> {
                    records.add(record(next, List.copyOf(conditions), words));
                    conditions.clear();
                }
            }
        }
        if (inLoop) {
            throw new SltFormatException(loopLine, "loop without endloop");
        }
        return records;
    }

    private SltRecord record(int line, List<Condition> conditions, List<String> words) {
        return switch (words.getFirst()) {
            case "statement" -> statement(line, conditions, words);
            case "query" ->
                word(words, 1).equals("error") ? statement(line, conditions, words) : query(line, conditions, words);
            case "loop" ->
                new SltRecord.Loop(
                        line, conditions, word(words, 1), range(word(words, 2), word(words, 3)), records(true));
            case "foreach" ->
                new SltRecord.Loop(
                        line, conditions, word(words, 1), values(words.subList(2, words.size())), records(true));
            case "concurrentloop", "concurrentforeach" -> {
                records(true);
                yield new SltRecord.Unsupported(line, conditions, words.getFirst());
            }
            case "halt" -> new SltRecord.Halt(line, conditions);
            case "require" -> new SltRecord.Require(line, conditions, word(words, 1));
            case "mode" ->
                switch (word(words, 1)) {
                    case "skip" -> new SltRecord.SkipMode(line, conditions, true);
                    case "unskip" -> new SltRecord.SkipMode(line, conditions, false);
                    default -> new SltRecord.Unsupported(line, conditions, "mode " + words.get(1));
                };
            case "set" ->
                word(words, 1).equals("variable")
                        ? new SltRecord.SetVariable(line, conditions, word(words, 2), setValue(words))
                        : new SltRecord.Unsupported(line, conditions, "set " + words.get(1));
            case "reset" ->
                word(words, 1).equals("label")
                        ? new SltRecord.ResetLabel(line, conditions, word(words, 2))
                        : new SltRecord.Unsupported(line, conditions, "reset " + words.get(1));
            case "control" -> control(line, conditions, words);
            case "connection" -> new SltRecord.UseConnection(line, conditions, word(words, 1));
            case "include" -> new SltRecord.Include(line, conditions, word(words, 1));
            case "load", "restart", "reconnect", "unzip", "require-env", "test-env", "continue", "system" ->
                new SltRecord.Unsupported(line, conditions, words.getFirst());
            default -> throw problem("unknown directive '%s'".formatted(words.getFirst()));
        };
    }

    private SltRecord statement(int line, List<Condition> conditions, List<String> words) {
        String outcome = word(words, 1);
        String sql = sql();
        boolean hasBlock = atResults();
        String block = hasBlock ? String.join("\n", block(outcome.equals("error"))) : "";
        ExpectedOutcome expected = switch (outcome) {
            case "ok" -> new ExpectedOutcome.Success();
            case "maybe" -> new ExpectedOutcome.Anything();
            case "count" -> new ExpectedOutcome.RowCount(Long.parseLong(word(words, 2)));
            case "error" -> new ExpectedOutcome.Failure(errorMessage(lines.get(line - 1), words, block));
            default ->
                throw new SltFormatException(
                        line, "statement '%s': expected ok, error, maybe or count".formatted(outcome));
        };
        String connection = outcome.equals("count")
                        || words.size() < 3
                        || !CONNECTION.matcher(words.get(2)).matches()
                ? null
                : words.get(2);
        return new SltRecord.Statement(line, conditions, connection, sql, expected);
    }

    private ExpectedOutcome.MessagePattern errorMessage(String header, List<String> words, String block) {
        if (!block.isEmpty()) {
            return ExpectedOutcome.MessagePattern.ofBlock(block);
        }
        if (words.size() > 2 && !CONNECTION.matcher(words.get(2)).matches()) {
            String pattern =
                    header.substring(header.indexOf("error") + "error".length()).strip();
            return new ExpectedOutcome.MessagePattern(pattern, true, false);
        }
        return null;
    }

    private SltRecord query(int line, List<Condition> conditions, List<String> words) {
        SortMode sort = null;
        String connection = null;
        String label = null;
        for (String word : words.subList(2, words.size())) {
            if (SortMode.of(word) != null && sort == null) {
                sort = SortMode.of(word);
            } else if (CONNECTION.matcher(word).matches()) {
                connection = word;
            } else {
                label = word;
            }
        }
        String sql = sql();
        List<String> expected = atResults() ? block(false) : null;
        return new SltRecord.Query(line, conditions, connection, words.get(1), sort, label, sql, expected);
    }

    private SltRecord control(int line, List<Condition> conditions, List<String> words) {
        if (word(words, 1).equals("sortmode")) {
            SortMode sort = SortMode.of(word(words, 2));
            if (sort != null) {
                return new SltRecord.DefaultSort(line, conditions, sort);
            }
        }
        return new SltRecord.Unsupported(line, conditions, "control " + words.get(1));
    }

    /// Reads the lines up to a blank one or the mark of the results.
    private String sql() {
        int first = next;
        if (dialect == Dialect.DATAFUSION) {
            next++; // its own runner takes the first line whatever it is, and a line of blanks for SQL
        }
        while (next < lines.size() && !endsSql(lines.get(next)) && !atResults()) {
            next++;
        }
        String sql = String.join("\n", lines.subList(first, Math.min(next, lines.size())));
        if (sql.isBlank()) {
            throw problem("a record without SQL");
        }
        return sql;
    }

    private boolean endsSql(String line) {
        return dialect == Dialect.DATAFUSION ? line.isEmpty() : line.isBlank();
    }

    private boolean atResults() {
        return next < lines.size() && lines.get(next).strip().equals(RESULTS);
    }

    /// Reads the lines after the mark of the results.
    /// @param mayHoldBlanks whether only two blank lines end it: a message in DataFusion's files
    private List<String> block(boolean mayHoldBlanks) {
        next++;
        int first = next;
        boolean two = mayHoldBlanks && dialect == Dialect.DATAFUSION;
        while (next < lines.size()
                && !(lines.get(next).isEmpty()
                        && (!two
                                || next + 1 == lines.size()
                                || lines.get(next + 1).isEmpty()))) {
            next++;
        }
        return List.copyOf(lines.subList(first, next));
    }

    /// Splits a line at blanks, outside of double quotes, up to a word that starts with `#`.
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            if (matcher.group().startsWith("#")) {
                break;
            }
            words.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(2));
        }
        return words;
    }

    private String word(List<String> words, int index) {
        if (index >= words.size()) {
            throw problem("'%s' needs %d more words".formatted(String.join(" ", words), index + 1 - words.size()));
        }
        return words.get(index);
    }

    private String setValue(List<String> words) {
        int first = word(words, 3).equals("=") ? 4 : 3;
        word(words, first);
        return String.join(" ", words.subList(first, words.size()));
    }

    private List<String> range(String from, String to) {
        try {
            return LongStream.range(Long.parseLong(from), Long.parseLong(to))
                    .mapToObj(Long::toString)
                    .toList();
        } catch (NumberFormatException e) {
            throw problem("loop from '%s' to '%s': expected two integers".formatted(from, to));
        }
    }

    /// Replaces names of sets by their values, and takes out those that start with `!`.
    private static List<String> values(List<String> words) {
        List<String> values = new ArrayList<>();
        for (String word : words) {
            List<String> set = VALUE_SETS.get(word.toLowerCase(Locale.ROOT));
            if (set != null) {
                values.addAll(set);
            } else if (word.startsWith("!")) {
                values.remove(word.substring(1));
            } else {
                values.add(word);
            }
        }
        return values;
    }

    private static List<String> concat(List<String> first, List<String> second) {
        String[] all = Arrays.copyOf(first.toArray(String[]::new), first.size() + second.size());
        System.arraycopy(second.toArray(String[]::new), 0, all, first.size(), second.size());
        return List.of(all);
    }

    private SltFormatException problem(String message) {
        return new SltFormatException(next, message);
    }
}
