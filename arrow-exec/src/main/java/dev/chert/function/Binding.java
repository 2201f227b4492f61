package dev.chert.function;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.SourcePosition;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.Literal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds the overload of a call and converts its arguments.
///
/// Arithmetic and comparisons first bring both sides to a common type; other functions take the overload whose
/// parameters the arguments reach by the cheapest conversions. Empty means: no overload.
final class Binding {
    /// What a string literal's conversion costs: more than any conversion between numbers.
    private static final int LITERAL_COST = 40;

    private static final int NARROWING_COST = 20;
    private static final int IMPOSSIBLE = -1;

    private Binding() {}

    static Optional<Expression> bind(String name, List<Expression> arguments, SourcePosition position) {
        return switch (name) {
            case "+", "-", "*", "/", "%" ->
                arguments.size() == 2 ? arithmetic(name, arguments, position) : bySignature(name, arguments, position);
            case "=", "<>", "<", "<=", ">", ">=" ->
                arguments.size() == 2 ? comparison(name, arguments, position) : Optional.empty();
            case "greatest", "least" -> pairwise(name, toCommonType(arguments, position), position);
            case "||" -> pairwise(name, arguments, position);
            default -> bySignature(name, arguments, position);
        };
    }

    private static Optional<Expression> arithmetic(String name, List<Expression> arguments, SourcePosition position) {
        Expression left = arguments.get(0);
        Expression right = arguments.get(1);
        if (isNull(left) && !isNull(right)) {
            left = new Literal(null, nullBeside(name, right.type()));
        } else if (isNull(right)) {
            left = isNull(left) ? new Literal(null, ScalarType.INTEGER) : left;
            right = new Literal(null, nullBeside(name, left.type()));
        }
        TypeKind l = left.type().kind();
        TypeKind r = right.type().kind();
        if (!l.isNumeric() || !r.isNumeric()) {
            // number * interval is interval * number
            boolean swapped = name.equals("*") && l.isNumeric();
            if (l == TypeKind.DATE && isWholeDays(right)) {
                return bySignature(name.equals("+") ? "date_add" : "date_sub", List.of(left, right), position);
            }
            return bySignature(name, swapped ? List.of(right, left) : List.of(left, right), position);
        }
        boolean exact = DecimalRules.isExact(l) && DecimalRules.isExact(r);
        if (exact && (l == TypeKind.DECIMAL || r == TypeKind.DECIMAL)) {
            return Optional.of(decimalArithmetic(name, left, right, position));
        }
        DataType common = commonOfPair(left, right).orElseThrow();
        return Optional.of(new Call(
                name,
                List.of(
                        Conversions.cast(left, common, false, position),
                        Conversions.cast(right, common, false, position)),
                common,
                position));
    }

    /// A constant interval of whole days leaves a date a date; any other makes it a timestamp.
    private static boolean isWholeDays(Expression interval) {
        return interval instanceof Literal literal
                && literal.type().kind() == TypeKind.INTERVAL_DAY_TIME
                && literal.value() instanceof Long units
                && units % (86_400 * ((ScalarType) literal.type()).unitsPerSecond()) == 0;
    }

    /// The type of a NULL beside an operand: the other's, but a number beside an interval that is multiplied.
    private static DataType nullBeside(String name, DataType other) {
        boolean interval = other.kind() == TypeKind.INTERVAL_DAY_TIME || other.kind() == TypeKind.INTERVAL_YEAR_MONTH;
        if (interval && (name.equals("*") || name.equals("/"))) {
            return ScalarType.BIGINT;
        }
        return other.kind() == TypeKind.DATE && name.equals("+") ? ScalarType.INTERVAL_YEAR_MONTH : other;
    }

    private static Expression decimalArithmetic(
            String name, Expression left, Expression right, SourcePosition position) {
        ScalarType a = DecimalRules.of(left);
        ScalarType b = DecimalRules.of(right);
        ScalarType result = switch (name) {
            case "+", "-" -> DecimalRules.sum(a, b);
            case "*" -> DecimalRules.product(a, b);
            case "/" -> DecimalRules.quotient(a, b);
            case "%" -> DecimalRules.remainder(a, b);
            default -> throw new AssertionError(name);
        };
        ScalarType leftType = a;
        ScalarType rightType = b;
        if (name.equals("+") || name.equals("-") || name.equals("%")) {
            leftType = withScale(a, result.scale());
            rightType = withScale(b, result.scale());
        }
        return new Call(
                name,
                List.of(
                        Conversions.cast(left, leftType, false, position),
                        Conversions.cast(right, rightType, false, position)),
                result,
                position);
    }

    private static ScalarType withScale(ScalarType type, int scale) {
        int whole = type.precision() - type.scale();
        return ScalarType.decimal(Math.max(1, Math.min(ScalarType.MAX_DECIMAL_PRECISION, whole + scale)), scale);
    }

    private static Optional<Expression> comparison(String name, List<Expression> arguments, SourcePosition position) {
        List<Expression> converted = toCommonType(arguments, position);
        List<DataType> types = converted.stream().map(Expression::type).toList();
        if (types.stream().allMatch(type -> type.kind() == TypeKind.NULL)) {
            return Optional.of(new Literal(null, ScalarType.BOOLEAN));
        }
        return FunctionRegistry.find(name, types, ScalarType.BOOLEAN)
                .map(found -> new Call(name, converted, ScalarType.BOOLEAN, position));
    }

    /// Converts all arguments to the type that they have in common; leaves them where there is none.
    private static List<Expression> toCommonType(List<Expression> arguments, SourcePosition position) {
        Expression met = arguments.getFirst();
        for (Expression argument : arguments.subList(1, arguments.size())) {
            Optional<DataType> common = commonOfPair(met, argument);
            if (common.isEmpty()) {
                return arguments;
            }
            // what has been met stands for its type only: a literal of it would still fit a narrower one
            met = common.get().equals(argument.type()) ? argument : new Literal(null, common.get());
        }
        DataType target = met.type();
        return arguments.stream()
                .map(argument ->
                        argument.type().kind().isCharacter() && target.kind().isCharacter()
                                ? argument
                                : Conversions.cast(argument, target, false, position))
                .toList();
    }

    private static Optional<DataType> commonOfPair(Expression left, Expression right) {
        DataType l = left.type();
        DataType r = right.type();
        if (fitsAs(left, r)) {
            return Optional.of(r);
        }
        if (fitsAs(right, l)) {
            return Optional.of(l);
        }
        if (l.kind().isNumeric() && r.kind().isNumeric()) {
            boolean decimals = DecimalRules.isExact(l.kind())
                    && DecimalRules.isExact(r.kind())
                    && !(l.kind().isInteger() && r.kind().isInteger());
            if (decimals) {
                return Optional.of(DecimalRules.common(DecimalRules.of(left), DecimalRules.of(right)));
            }
        }
        return CommonType.of(l, r);
    }

    /// True of a literal that can be written in another, smaller or quite different type without loss: an integer
    /// that fits a narrower one, or a string beside a value of a type that strings are cast to.
    private static boolean fitsAs(Expression expression, DataType type) {
        if (!(expression instanceof Literal literal) || literal.isNull()) {
            return false;
        }
        TypeKind from = literal.type().kind();
        if (from.isInteger() && type.kind().isInteger()) {
            return Conversions.literal(literal, type).isPresent();
        }
        return from.isCharacter()
                && !type.kind().isCharacter()
                && type.kind() != TypeKind.VARBINARY
                && !type.kind().isNested()
                && type.kind() != TypeKind.NULL;
    }

    private static Optional<Expression> pairwise(String name, List<Expression> arguments, SourcePosition position) {
        if (arguments.isEmpty()) {
            return Optional.empty();
        }
        Optional<Expression> result = Optional.of(arguments.getFirst());
        for (Expression next : arguments.subList(1, arguments.size())) {
            if (result.isEmpty()) {
                return result;
            }
            result = bySignature(name, List.of(result.get(), next), position);
        }
        return result;
    }

    private static Optional<Expression> bySignature(String name, List<Expression> arguments, SourcePosition position) {
        FunctionMethod best = null;
        int least = Integer.MAX_VALUE;
        for (FunctionMethod method : FunctionRegistry.methods(name)) {
            int cost = cost(method, arguments);
            if (cost != IMPOSSIBLE && cost < least) {
                least = cost;
                best = method;
            }
        }
        if (best == null) {
            return Optional.empty();
        }
        List<Expression> converted = new ArrayList<>();
        List<TypeKind> kinds = best.parameterKinds();
        int fraction = mostFractionDigits(arguments);
        ScalarType decimal = commonDecimal(best, arguments);
        for (int i = 0; i < arguments.size(); i++) {
            DataType target = target(kinds.get(i), arguments.get(i), fraction, decimal);
            converted.add(Conversions.cast(arguments.get(i), target, false, position));
        }
        DataType result = ResultTypes.of(best, converted);
        return Optional.of(new Call(name, converted, result, position));
    }

    private static int cost(FunctionMethod method, List<Expression> arguments) {
        if (method.parameterKinds().size() != arguments.size()) {
            return IMPOSSIBLE;
        }
        int sum = 0;
        for (int i = 0; i < arguments.size(); i++) {
            int cost = cost(arguments.get(i), method.parameterKinds().get(i));
            if (cost == IMPOSSIBLE) {
                return IMPOSSIBLE;
            }
            sum += cost;
        }
        return sum;
    }

    private static int cost(Expression argument, TypeKind to) {
        TypeKind from = argument.type().kind();
        if (from == to || from == TypeKind.NULL) {
            return 0;
        }
        if (from.isCharacter() && to.isCharacter()) {
            return 1;
        }
        if (from == TypeKind.REAL && to == TypeKind.DOUBLE) {
            return 1;
        }
        if (from.isNumeric() && to.isNumeric()) {
            int steps = numericRank(to) - numericRank(from);
            if (steps > 0) {
                return steps;
            }
            boolean narrowed = to == TypeKind.INTEGER && from == TypeKind.BIGINT;
            return narrowed || fitsAs(argument, ScalarTypes.plain(to)) ? NARROWING_COST : IMPOSSIBLE;
        }
        if (from == TypeKind.DATE && (to == TypeKind.TIMESTAMP || to == TypeKind.TIMESTAMP_LTZ)) {
            return to == TypeKind.TIMESTAMP ? 1 : 2;
        }
        if (from == TypeKind.TIMESTAMP && to == TypeKind.TIMESTAMP_LTZ) {
            return 1;
        }
        return fitsAs(argument, ScalarTypes.plain(to)) ? LITERAL_COST : IMPOSSIBLE;
    }

    private static int numericRank(TypeKind kind) {
        return switch (kind) {
            case TINYINT -> 0;
            case SMALLINT -> 1;
            case INTEGER -> 2;
            case BIGINT -> 3;
            case DECIMAL -> 4;
            case REAL -> 6;
            case DOUBLE -> 5; // of two approximate overloads an exact number takes the better
            case BOOLEAN,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_DAY_TIME,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    UUID,
                    ARRAY,
                    MAP,
                    ROW,
                    NULL,
                    OPAQUE -> throw new IllegalArgumentException(kind.name());
        };
    }

    /// Times, timestamps and day-time intervals of one call are brought to the finest unit among them.
    private static int mostFractionDigits(List<Expression> arguments) {
        int most = 0;
        for (Expression argument : arguments) {
            if (argument.type() instanceof ScalarType type && ScalarTypes.hasFraction(type.kind())) {
                most = Math.max(most, type.precision());
            }
        }
        return most;
    }

    private static ScalarType commonDecimal(FunctionMethod method, List<Expression> arguments) {
        ScalarType common = null;
        for (int i = 0; i < arguments.size(); i++) {
            boolean exact = DecimalRules.isExact(arguments.get(i).type().kind());
            if (method.parameterKinds().get(i) == TypeKind.DECIMAL && exact) {
                ScalarType type = DecimalRules.of(arguments.get(i));
                common = common == null ? type : DecimalRules.common(common, type);
            }
        }
        return common;
    }

    private static DataType target(TypeKind kind, Expression argument, int fraction, ScalarType decimal) {
        ScalarType given = argument.type() instanceof ScalarType scalar ? scalar : null;
        if (kind == TypeKind.DECIMAL) {
            return decimal != null ? decimal : ScalarType.decimal(1, 0);
        }
        if (ScalarTypes.hasFraction(kind)) {
            return new ScalarType(kind, fraction, 0);
        }
        if (given != null && (given.kind() == kind || (given.kind().isCharacter() && kind.isCharacter()))) {
            return given;
        }
        return ScalarTypes.plain(kind);
    }

    private static boolean isNull(Expression expression) {
        return expression.type().kind() == TypeKind.NULL;
    }
}
