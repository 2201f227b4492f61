package dev.chert.function.aggregate;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.query.NearestName;
import dev.chert.query.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// The aggregate functions that there are: the planner lists them, asks for result types and binds calls here.
public final class AggregateFunctions {
    /// One function as users see it.
    ///
    /// @param name             lower case
    /// @param aliases          other names, lower case
    /// @param takes            which arguments
    /// @param ignoresDistinct  whether DISTINCT changes nothing
    /// @param description      a sentence
    public record Definition(
            String name, List<String> aliases, Takes takes, boolean ignoresDistinct, String description) {}

    /// The arguments that a function takes.
    public enum Takes {
        /// None, for COUNT(*), or any number of any type.
        NOTHING_OR_ANYTHING("nothing or any values"),
        /// One argument of any type that can be compared.
        ANYTHING("one value of a scalar type"),
        NUMBER("a number"),
        INTEGER("an integer"),
        BOOLEAN("a BOOLEAN");

        private final String words;

        Takes(String words) {
            this.words = words;
        }
    }

    private static final int AVERAGE_SCALE = 6;

    private static final List<Definition> DEFINITIONS = List.of(
            define("count", Takes.NOTHING_OR_ANYTHING, false, "How many rows have no NULL among the arguments."),
            define("sum", Takes.NUMBER, false, "The sum: BIGINT of integers, DECIMAL(38, s) of decimals, else DOUBLE."),
            define("sum0", Takes.NUMBER, false, "As sum, but 0 of no values: what counts of counts are made of."),
            define("min", Takes.ANYTHING, true, "The least value."),
            define("max", Takes.ANYTHING, true, "The greatest value."),
            define(
                    "avg",
                    Takes.NUMBER,
                    false,
                    "The mean: DECIMAL(38, max(s, 6)) of decimals, half up, else DOUBLE.",
                    "mean"),
            define("single_value", Takes.ANYTHING, true, "The value of the only row; more rows are an error."),
            define("any_value", Takes.ANYTHING, true, "Some value that is not NULL.", "arbitrary"),
            define("first", Takes.ANYTHING, true, "The value of the first row met."),
            define("bool_and", Takes.BOOLEAN, true, "Whether all values are true.", "every"),
            define("bool_or", Takes.BOOLEAN, true, "Whether any value is true.", "some"),
            define("stddev_pop", Takes.NUMBER, false, "The standard deviation of the whole population."),
            define("stddev_samp", Takes.NUMBER, false, "The standard deviation of a sample.", "stddev"),
            define("var_pop", Takes.NUMBER, false, "The variance of the whole population."),
            define("var_samp", Takes.NUMBER, false, "The variance of a sample.", "variance"),
            define("bit_and", Takes.INTEGER, true, "The bits that all values have."),
            define("bit_or", Takes.INTEGER, true, "The bits that any value has."),
            define("bit_xor", Takes.INTEGER, false, "The bits that an odd number of values have."));

    private static final Map<String, Definition> BY_NAME = new LinkedHashMap<>();

    static {
        for (Definition definition : DEFINITIONS) {
            BY_NAME.put(definition.name(), definition);
            definition.aliases().forEach(alias -> BY_NAME.put(alias, definition));
        }
    }

    private AggregateFunctions() {}

    private static Definition define(
            String name, Takes takes, boolean ignoresDistinct, String description, String... aliases) {
        return new Definition(name, List.of(aliases), takes, ignoresDistinct, description);
    }

    /// All functions, in the order of the reference.
    public static List<Definition> definitions() {
        return DEFINITIONS;
    }

    /// Whether there is a function of this name or alias, in any case.
    public static boolean exists(String name) {
        return BY_NAME.containsKey(name.toLowerCase(Locale.ROOT));
    }

    /// The function of a name or alias.
    ///
    /// @throws ValidationException where there is none, with the nearest right one
    public static Definition find(String name) {
        Definition definition = BY_NAME.get(name.toLowerCase(Locale.ROOT));
        if (definition == null) {
            throw new ValidationException("unknown aggregate function '" + name + "'; did you mean '"
                    + NearestName.of(name, BY_NAME.keySet()) + "'?");
        }
        return definition;
    }

    /// The type of a function's result.
    ///
    /// @throws ValidationException where there is no such function, or it does not take these arguments
    public static DataType resultType(String name, List<DataType> arguments) {
        Definition definition = find(name);
        check(definition, arguments);
        return switch (definition.name()) {
            case "count" -> ScalarType.BIGINT;
            case "sum", "sum0" -> sumType(arguments.getFirst());
            case "avg" -> averageType(arguments.getFirst());
            case "stddev_pop", "stddev_samp", "var_pop", "var_samp" -> ScalarType.DOUBLE;
            case "bool_and", "bool_or" -> ScalarType.BOOLEAN;
            case "bit_and", "bit_or", "bit_xor" ->
                arguments.getFirst().kind() == TypeKind.NULL ? ScalarType.BIGINT : arguments.getFirst();
            default -> arguments.getFirst();
        };
    }

    private static DataType sumType(DataType argument) {
        return argument.kind() == TypeKind.DECIMAL
                ? ScalarType.decimal(ScalarType.MAX_DECIMAL_PRECISION, scaleOf(argument))
                : argument.kind().isFloating() ? ScalarType.DOUBLE : ScalarType.BIGINT;
    }

    private static DataType averageType(DataType argument) {
        return argument.kind() == TypeKind.DECIMAL
                ? ScalarType.decimal(ScalarType.MAX_DECIMAL_PRECISION, Math.max(scaleOf(argument), AVERAGE_SCALE))
                : ScalarType.DOUBLE;
    }

    private static int scaleOf(DataType type) {
        return type instanceof ScalarType scalar ? scalar.scale() : 0;
    }

    private static void check(Definition definition, List<DataType> arguments) {
        boolean fits = switch (definition.takes()) {
            case NOTHING_OR_ANYTHING -> true;
            case ANYTHING -> arguments.size() == 1;
            case NUMBER ->
                arguments.size() == 1 && isOrNull(arguments, t -> t.kind().isNumeric());
            case INTEGER ->
                arguments.size() == 1 && isOrNull(arguments, t -> t.kind().isInteger());
            case BOOLEAN -> arguments.size() == 1 && isOrNull(arguments, t -> t.kind() == TypeKind.BOOLEAN);
        };
        if (!fits) {
            throw new ValidationException(definition.name()
                    + arguments.stream().map(DataType::toString).collect(Collectors.joining(", ", "(", ")"))
                    + " is not defined; " + definition.name() + " takes " + definition.takes().words);
        }
    }

    private static boolean isOrNull(List<DataType> arguments, Predicate<DataType> test) {
        DataType type = arguments.getFirst();
        return type.kind() == TypeKind.NULL || test.test(type);
    }

    /// Makes the function of a call.
    ///
    /// @param settings of the query: what an overflow gives
    public static AggregateFunction bind(AggregateCall call, Settings settings) {
        Definition definition = find(call.function());
        List<DataType> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            arguments.add(argument.type());
        }
        DataType result = resultType(definition.name(), arguments);
        DataType argument = arguments.isEmpty() ? ScalarType.NULL : arguments.getFirst();
        SourcePosition position = call.position();
        boolean overflowIsNull = settings.get(Settings.OVERFLOW) == Settings.OnError.NULL;
        if (call.type().kind() == TypeKind.NULL) {
            return new Extreme(ScalarType.NULL, false); // no value but NULL goes in or comes out
        }
        return switch (definition.name()) {
            case "count" -> new CountFunction();
            case "sum" -> sum(argument, result, false, overflowIsNull, position);
            case "sum0" -> sum(argument, result, true, overflowIsNull, position);
            case "avg" -> average(argument, result, overflowIsNull, position);
            case "min", "bool_and" -> new Extreme(result, false);
            case "max", "bool_or" -> new Extreme(result, true);
            case "single_value" -> new AnyValue(result, AnyValue.Pick.SINGLE, position);
            case "any_value" -> new AnyValue(result, AnyValue.Pick.ANY, position);
            case "first" -> new AnyValue(result, AnyValue.Pick.FIRST, position);
            case "stddev_pop" -> new Variance(argument, false, true);
            case "stddev_samp" -> new Variance(argument, true, true);
            case "var_pop" -> new Variance(argument, false, false);
            case "var_samp" -> new Variance(argument, true, false);
            case "bit_and" -> new BitAggregate(result, BitAggregate.Operation.AND);
            case "bit_or" -> new BitAggregate(result, BitAggregate.Operation.OR);
            case "bit_xor" -> new BitAggregate(result, BitAggregate.Operation.XOR);
            default -> throw new AssertionError(definition);
        };
    }

    private static AggregateFunction sum(
            DataType argument, DataType result, boolean emptyIsZero, boolean overflowIsNull, SourcePosition position) {
        if (argument.kind().isFloating()) {
            return new FloatingSum(argument.kind() == TypeKind.REAL, false, emptyIsZero);
        }
        ExactSum.Result form =
                argument.kind() == TypeKind.DECIMAL ? ExactSum.Result.DECIMAL_SUM : ExactSum.Result.INTEGER_SUM;
        return new ExactSum(result, form, 1, emptyIsZero, overflowIsNull, position);
    }

    private static AggregateFunction average(
            DataType argument, DataType result, boolean overflowIsNull, SourcePosition position) {
        if (argument.kind().isFloating()) {
            return new FloatingSum(argument.kind() == TypeKind.REAL, true, false);
        }
        ExactSum.Result form =
                argument.kind() == TypeKind.DECIMAL ? ExactSum.Result.DECIMAL_AVERAGE : ExactSum.Result.INTEGER_AVERAGE;
        return new ExactSum(result, form, averageFactor(argument), false, overflowIsNull, position);
    }

    private static long averageFactor(DataType argument) {
        long factor = 1;
        for (int scale = scaleOf(argument); argument.kind() == TypeKind.DECIMAL && scale < AVERAGE_SCALE; scale++) {
            factor *= 10;
        }
        return factor;
    }
}
