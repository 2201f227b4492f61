package dev.chert.sqltest;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Compares the rows of a query with what its record expects.
///
/// Doubles compare at a relative 1E-9. Numbers of another engine's files may have been written with fewer digits or
/// another scale; there the coarser one decides.
///
/// @param dialect whose habits the expected text follows
/// @param strict  whether type letters must fit, and decimals have the scale written
record ResultCheck(Dialect dialect, boolean strict) {
    static final String REGEX = "<REGEX>:";
    static final String NOT_REGEX = "<!REGEX>:";

    private static final Pattern HASH = Pattern.compile("(\\d+) values hashing to ([0-9a-f]{32})");
    private static final double RELATIVE_TOLERANCE = 1e-9;
    /// How many digits a number written by hand must have to count as one that was rounded.
    private static final int TRUSTED_DIGITS = 5;
    private static final MathContext SORT_DIGITS = new MathContext(8);

    /// What a query should have given and what it gave, as text.
    record Mismatch(String expected, String found) {}

    /// Compares a result.
    /// @param sort how to order before comparing
    /// @return     null where the result is as expected
    Mismatch compare(SltRecord.Query query, List<String> expected, SortMode sort, Outcome.Rows found) {
        int columns = found.kinds().size();
        if (columns != query.types().length()) {
            return new Mismatch(
                    "%d columns (%s)".formatted(query.types().length(), query.types()),
                    "%d columns (%s)".formatted(columns, letters(found.kinds())));
        }
        if (strict && !lettersFit(query.types(), found.kinds())) {
            return new Mismatch("columns of types " + query.types(), "columns of types " + letters(found.kinds()));
        }
        Matcher hash = HASH.matcher(expected.size() == 1 ? expected.getFirst() : "");
        if (hash.matches()) {
            return compareHash(query.types(), Long.parseLong(hash.group(1)), hash.group(2), sort, found);
        }
        boolean same = sort == SortMode.VALUES
                ? sameValues(query.types(), expected, found)
                : sameRows(query.types(), expected, sort, found);
        return same ? null : new Mismatch(String.join("\n", expected), printed(query.types(), sort, found));
    }

    /// Returns the MD5 of all printed values, which stands for a result under a label.
    String hash(String types, SortMode sort, Outcome.Rows found) {
        return md5(ordered(printedRows(types, found), sort));
    }

    // ---- hashes

    private Mismatch compareHash(String types, long count, String md5, SortMode sort, Outcome.Rows found) {
        long values = (long) found.rows().size() * found.kinds().size();
        String byLetters = hash(types, sort, found);
        List<List<String>> plainRows =
                found.rows().stream().map(ResultCheck::plain).toList();
        boolean same = values == count
                && (byLetters.equals(md5) || md5(ordered(plainRows, sort)).equals(md5));
        return same
                ? null
                : new Mismatch(
                        "%d values hashing to %s".formatted(count, md5),
                        "%d values hashing to %s\n%s".formatted(values, byLetters, printed(types, sort, found)));
    }

    private static String md5(List<List<String>> rows) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            for (List<String> row : rows) {
                for (String value : row) {
                    digest.update(value.getBytes(StandardCharsets.UTF_8));
                    digest.update((byte) '\n');
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("a JDK without MD5", e);
        }
    }

    // ---- printing

    private static List<String> plain(List<Object> row) {
        return row.stream().map(CellText::plain).toList();
    }

    private List<String> print(String types, List<Object> row) {
        if (dialect != Dialect.SQLITE) {
            return plain(row);
        }
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            cells.add(CellText.byLetter(row.get(i), types.charAt(i)));
        }
        return cells;
    }

    private List<List<String>> printedRows(String types, Outcome.Rows found) {
        return found.rows().stream().map(row -> print(types, row)).toList();
    }

    private String printed(String types, SortMode sort, Outcome.Rows found) {
        StringBuilder text = new StringBuilder();
        for (List<String> row : ordered(printedRows(types, found), sort)) {
            text.append(text.isEmpty() ? "" : "\n").append(String.join("\t", row));
        }
        return text.toString();
    }

    private static List<List<String>> ordered(List<List<String>> rows, SortMode sort) {
        return switch (sort) {
            case NONE -> rows;
            case ROWS -> rows.stream().sorted(ResultCheck::compareRows).toList();
            case VALUES ->
                rows.stream().flatMap(List::stream).sorted().map(List::of).toList();
        };
    }

    private static int compareRows(List<String> left, List<String> right) {
        return Arrays.compare(left.toArray(String[]::new), right.toArray(String[]::new));
    }

    // ---- type letters

    private static String letters(List<ColumnKind> kinds) {
        StringBuilder letters = new StringBuilder();
        kinds.forEach(kind -> letters.append(kind.letter()));
        return letters.toString();
    }

    private static boolean lettersFit(String types, List<ColumnKind> kinds) {
        for (int i = 0; i < kinds.size(); i++) {
            if (types.charAt(i) != '?' && types.charAt(i) != kinds.get(i).letter()) {
                return false;
            }
        }
        return true;
    }

    // ---- rows and values

    /// A row, with a key that orders rows alike however their numbers, booleans and timestamps were written.
    private record Keyed<T>(String key, T row) {}

    private static <T> List<T> byKey(Stream<Keyed<T>> rows) {
        return rows.sorted(Comparator.comparing(Keyed::key)).map(Keyed::row).toList();
    }

    private static String key(String row) {
        StringBuilder key = new StringBuilder();
        for (String word : row.replace('T', ' ').strip().split("\\s+")) {
            String bare = word.equalsIgnoreCase("true") ? "1" : word.equalsIgnoreCase("false") ? "0" : word;
            BigDecimal number = asNumber(bare);
            key.append(number == null ? bare : inShort(number)).append(' ');
        }
        return key.toString();
    }

    private static String inShort(BigDecimal number) {
        return number.round(SORT_DIGITS).stripTrailingZeros().toPlainString();
    }

    private boolean sameValues(String types, List<String> expected, Outcome.Rows found) {
        boolean valueLines = expected.size() == found.rows().size() * types.length();
        Stream<String> values = expected.stream()
                .flatMap(line -> valueLines
                        ? Stream.of(line)
                        : Arrays.stream(line.strip().split("\\s+")));
        List<String> wanted = byKey(values.map(value -> new Keyed<>(key(value), value)));
        record Cell(Object value, char letter) {}
        List<Cell> cells = byKey(found.rows().stream().flatMap(row -> {
            List<String> printed = print(types, row);
            List<Keyed<Cell>> keyed = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                keyed.add(new Keyed<>(key(printed.get(i)), new Cell(row.get(i), types.charAt(i))));
            }
            return keyed.stream();
        }));
        if (wanted.size() != cells.size()) {
            return false;
        }
        for (int i = 0; i < cells.size(); i++) {
            if (!sameCell(cells.get(i).value(), cells.get(i).letter(), wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean sameRows(String types, List<String> expected, SortMode sort, Outcome.Rows found) {
        int columns = types.length();
        List<String> lines = expected;
        if (columns > 1 && expected.size() != found.rows().size()) {
            if (expected.size() != found.rows().size() * columns) {
                return false;
            }
            lines = new ArrayList<>();
            for (int i = 0; i < expected.size(); i += columns) {
                lines.add(String.join("\t", expected.subList(i, i + columns)));
            }
        }
        if (lines.size() != found.rows().size()) {
            return false;
        }
        List<List<Object>> rows = found.rows();
        if (sort == SortMode.ROWS) {
            lines = byKey(lines.stream().map(line -> new Keyed<>(key(line.replace('\t', ' ')), line)));
            rows = byKey(rows.stream().map(row -> new Keyed<>(key(String.join(" ", print(types, row))), row)));
        }
        for (int i = 0; i < rows.size(); i++) {
            if (!sameRow(types, rows.get(i), lines.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean sameRow(String types, List<Object> row, String line) {
        List<String> cells = cells(line, types, row);
        if (cells == null) {
            return false;
        }
        for (int i = 0; i < cells.size(); i++) {
            if (!sameCell(row.get(i), types.charAt(i), cells.get(i))) {
                return false;
            }
        }
        return true;
    }

    /// Splits a line at tabs, or else at blanks; where text has blanks in it, the row tells how many.
    /// @return null where the line does not have the cells of the row
    private List<String> cells(String line, String types, List<Object> row) {
        if (row.size() == 1) {
            return List.of(line);
        }
        if (line.contains("\t")) {
            List<String> cells = Stream.of(line.split("\t", -1))
                    .map(strict ? cell -> cell : String::strip)
                    .toList();
            return cells.size() == row.size() ? cells : null;
        }
        String[] words = line.strip().split(" +");
        if (words.length == row.size()) {
            return List.of(words);
        }
        List<String> cells = new ArrayList<>();
        int next = 0;
        for (String printed : print(types, row)) {
            int count = printed.strip().split(" +").length;
            if (next + count > words.length) {
                return null;
            }
            cells.add(String.join(" ", Arrays.copyOfRange(words, next, next + count)));
            next += count;
        }
        return next == words.length ? cells : null;
    }

    // ---- cells

    private boolean sameCell(Object value, char letter, String expected) {
        String printed = dialect == Dialect.SQLITE ? CellText.byLetter(value, letter) : CellText.plain(value);
        if (printed.equals(expected)) {
            return true;
        }
        if (expected.startsWith(REGEX)) {
            return matches(expected.substring(REGEX.length()), printed);
        }
        if (expected.startsWith(NOT_REGEX)) {
            return !matches(expected.substring(NOT_REGEX.length()), printed);
        }
        if (dialect == Dialect.SQLITE) {
            return letter == 'R' && value instanceof Number && sameNumber(printed, expected);
        }
        return switch (value) {
            case null -> false;
            case Double _, Float _ -> sameNumber(printed, expected);
            case Number _ -> !strict && sameNumber(printed, expected);
            case Boolean truth -> !strict && (expected.equalsIgnoreCase(printed) || expected.equals(truth ? "1" : "0"));
            case String _ -> sameText(printed, expected);
            default -> !strict && printed.equals(expected.replace('T', ' '));
        };
    }

    private static boolean matches(String regex, String printed) {
        return Pattern.compile(regex, Pattern.DOTALL).matcher(printed).matches();
    }

    /// Compares words, since a line does not show how many blanks there were.
    private static boolean sameText(String printed, String expected) {
        return Arrays.equals(printed.strip().split(" +"), expected.strip().split(" +"));
    }

    private boolean sameNumber(String printed, String expected) {
        BigDecimal found = asNumber(printed);
        BigDecimal wanted = asNumber(expected);
        if (found == null || wanted == null) {
            return sameSpecial(printed, expected);
        }
        double difference = found.subtract(wanted).abs().doubleValue();
        if (difference
                <= RELATIVE_TOLERANCE
                        * Math.max(found.abs().doubleValue(), wanted.abs().doubleValue())) {
            return true;
        }
        if (strict) {
            return false;
        }
        int scale = Math.min(found.scale(), wanted.scale());
        return wanted.precision() >= TRUSTED_DIGITS
                && found.setScale(scale, RoundingMode.HALF_UP).compareTo(wanted.setScale(scale, RoundingMode.HALF_UP))
                        == 0;
    }

    private static boolean sameSpecial(String printed, String expected) {
        return switch (printed) {
            case "NaN" -> expected.equalsIgnoreCase("nan");
            case "Infinity" -> expected.equalsIgnoreCase("inf") || expected.equalsIgnoreCase("infinity");
            case "-Infinity" -> expected.equalsIgnoreCase("-inf") || expected.equalsIgnoreCase("-infinity");
            default -> false;
        };
    }

    private static BigDecimal asNumber(String text) {
        if (text.isEmpty() || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
            return null;
        }
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException _) {
            return null; // a date, or text that begins like a number
        }
    }
}
