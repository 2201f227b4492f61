package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.IsNull;
import dev.chert.expression.Expression.Literal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads expressions in the little SQL that tests of functions need, and binds them by the registry.
public final class SqlText {
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)|'((?:[^']|'')*)'|(x'[0-9a-fA-F]*')|([A-Za-z_]\\w*)"
                    + "|(<>|<=|>=|\\|\\||[-+*/%=<>(),]))");
    private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");

    private final List<String> tokens = new ArrayList<>();
    private final Map<String, InputColumn> columns;
    private int at;

    private SqlText(String text, Map<String, InputColumn> columns) {
        this.columns = columns;
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        while (end < text.stripTrailing().length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw new IllegalArgumentException("at " + end + " of " + text);
            }
            tokens.add(matcher.group().strip());
            end = matcher.end();
        }
        tokens.add("");
    }

    /// Parses an expression without columns.
    public static Expression parse(String text) {
        return parse(text, Map.of());
    }

    /// Parses an expression over columns by name.
    public static Expression parse(String text, Map<String, InputColumn> columns) {
        SqlText parser = new SqlText(text, columns);
        Expression expression = parser.expression();
        if (!parser.peek().isEmpty()) {
            throw new IllegalArgumentException("unexpected " + parser.peek() + " in " + text);
        }
        return expression;
    }

    private String peek() {
        return tokens.get(at);
    }

    private boolean accept(String word) {
        if (peek().equalsIgnoreCase(word)) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(String word) {
        if (!accept(word)) {
            throw new IllegalArgumentException("expected " + word + ", not " + peek());
        }
    }

    private static Expression bind(String name, Expression... arguments) {
        return FunctionRegistry.bind(name, List.of(arguments), null);
    }

    private Expression expression() {
        if (accept("not")) {
            return bind("not", expression());
        }
        Expression left = sum();
        String word = peek().toLowerCase(Locale.ROOT);
        if (COMPARISONS.contains(word)) {
            at++;
            return bind(word, left, sum());
        }
        if (accept("is")) {
            boolean negated = accept("not");
            expect("null");
            return new IsNull(left, negated);
        }
        String pattern = accept("like") ? "like" : accept("ilike") ? "ilike" : accept("similar") ? "similar to" : null;
        if (pattern == null) {
            return left;
        }
        if (pattern.equals("similar to")) {
            expect("to");
        }
        Expression right = sum();
        return accept("escape") ? bind(pattern, left, right, sum()) : bind(pattern, left, right);
    }

    private Expression sum() {
        Expression left = product();
        while (List.of("+", "-", "||").contains(peek())) {
            String sign = tokens.get(at++);
            left = bind(sign, left, product());
        }
        return left;
    }

    private Expression product() {
        Expression left = factor();
        while (List.of("*", "/", "%").contains(peek())) {
            String sign = tokens.get(at++);
            left = bind(sign, left, factor());
        }
        return left;
    }

    private Expression factor() {
        if (accept("-")) {
            Expression operand = factor();
            if (operand instanceof Literal literal && literal.value() instanceof Long number) {
                return new Literal(-number, literal.type());
            }
            return bind("-", operand);
        }
        if (accept("(")) {
            Expression inner = expression();
            expect(")");
            return inner;
        }
        String token = tokens.get(at++);
        if (Character.isDigit(token.charAt(0))) {
            return number(token);
        }
        if (token.startsWith("'")) {
            return new Literal(unquoted(token), ScalarType.VARCHAR);
        }
        return named(token);
    }

    private static String unquoted(String token) {
        return token.substring(1, token.length() - 1).replace("''", "'");
    }

    private static Literal number(String token) {
        if (token.contains("e") || token.contains("E")) {
            return new Literal(Double.valueOf(token), ScalarType.DOUBLE);
        }
        BigDecimal value = new BigDecimal(token);
        if (token.contains(".")) {
            return new Literal(value, ScalarType.decimal(Math.max(value.precision(), value.scale()), value.scale()));
        }
        if (value.toBigInteger().bitLength() > 63) {
            return new Literal(value, ScalarType.decimal(value.precision(), 0));
        }
        boolean small = value.longValue() <= Integer.MAX_VALUE;
        return new Literal(value.longValue(), small ? ScalarType.INTEGER : ScalarType.BIGINT);
    }

    private Expression named(String token) {
        String word = token.toLowerCase(Locale.ROOT);
        if (columns.containsKey(token)) {
            return columns.get(token);
        }
        switch (word) {
            case "null" -> {
                return new Literal(null, ScalarType.NULL);
            }
            case "true" -> {
                return Literal.TRUE;
            }
            case "false" -> {
                return Literal.FALSE;
            }
            case "current_date", "current_timestamp", "localtimestamp", "localtime" -> {
                return bind(word);
            }
            case "date", "time", "timestamp" -> {
                if (peek().startsWith("'")) {
                    return dated(word, unquoted(tokens.get(at++)));
                }
            }
            case "interval" -> {
                return interval();
            }
            default -> {}
        }
        expect("(");
        return switch (word) {
            case "cast", "try_cast" -> conversion(word.equals("try_cast"));
            case "extract" -> {
                Expression field = new Literal(tokens.get(at++), ScalarType.VARCHAR);
                expect("from");
                yield closed(bind("extract", field, expression()));
            }
            case "position" -> {
                Expression wanted = sum();
                expect("in");
                Expression text = sum();
                yield closed(accept("from") ? bind(word, wanted, text, sum()) : bind(word, wanted, text));
            }
            case "overlay" -> {
                Expression text = sum();
                expect("placing");
                Expression replacement = sum();
                expect("from");
                Expression from = sum();
                yield closed(
                        accept("for")
                                ? bind(word, text, replacement, from, sum())
                                : bind(word, text, replacement, from));
            }
            default -> {
                List<Expression> arguments = new ArrayList<>();
                while (!accept(")")) {
                    arguments.add(expression());
                    accept(",");
                }
                yield FunctionRegistry.bind(word, arguments, null);
            }
        };
    }

    private Expression closed(Expression expression) {
        expect(")");
        return expression;
    }

    private static Expression dated(String word, String text) {
        int dot = text.indexOf('.');
        int digits = dot < 0 ? 0 : text.length() - dot - 1;
        ScalarType type = switch (word) {
            case "date" -> ScalarType.DATE;
            case "time" -> ScalarType.time(digits);
            default -> ScalarType.timestamp(digits);
        };
        return FunctionRegistry.cast(new Literal(text, ScalarType.VARCHAR), type, false, null);
    }

    private Expression interval() {
        String text = unquoted(tokens.get(at++));
        String unit = tokens.get(at++).toLowerCase(Locale.ROOT);
        if (accept("to")) {
            at++;
            ScalarType type = unit.equals("year") ? ScalarType.INTERVAL_YEAR_MONTH : ScalarType.intervalDayTime(3);
            return FunctionRegistry.cast(new Literal(text, ScalarType.VARCHAR), type, false, null);
        }
        long number = Long.parseLong(text);
        return switch (unit) {
            case "year" -> new Literal(number * 12, ScalarType.INTERVAL_YEAR_MONTH);
            case "month" -> new Literal(number, ScalarType.INTERVAL_YEAR_MONTH);
            case "day" -> new Literal(number * 86_400, ScalarType.intervalDayTime(0));
            case "hour" -> new Literal(number * 3_600, ScalarType.intervalDayTime(0));
            case "minute" -> new Literal(number * 60, ScalarType.intervalDayTime(0));
            case "second" -> new Literal(number, ScalarType.intervalDayTime(0));
            default -> throw new IllegalArgumentException(unit);
        };
    }

    private Expression conversion(boolean tried) {
        Expression input = expression();
        expect("as");
        DataType type = type();
        return closed(FunctionRegistry.cast(input, type, tried, null));
    }

    private DataType type() {
        String name = tokens.get(at++).toLowerCase(Locale.ROOT);
        List<Integer> numbers = new ArrayList<>();
        if (accept("(")) {
            while (!accept(")")) {
                numbers.add(Integer.parseInt(tokens.get(at++)));
                accept(",");
            }
        }
        int first = numbers.isEmpty() ? 0 : numbers.getFirst();
        return switch (name) {
            case "decimal" -> ScalarType.decimal(first, numbers.size() > 1 ? numbers.get(1) : 0);
            case "varchar" -> numbers.isEmpty() ? ScalarType.VARCHAR : ScalarType.varchar(first);
            case "char" -> ScalarType.character(Math.max(1, first));
            case "time" -> ScalarType.time(first);
            case "timestamp" -> ScalarType.timestamp(first);
            case "timestamp_ltz" -> ScalarType.timestampLtz(first);
            case "interval_year_month" -> ScalarType.INTERVAL_YEAR_MONTH;
            case "interval_day_time" -> ScalarType.intervalDayTime(first);
            case "varbinary" -> ScalarType.VARBINARY;
            default -> ScalarTypes.plain(TypeKind.valueOf(name.toUpperCase(Locale.ROOT)));
        };
    }
}
