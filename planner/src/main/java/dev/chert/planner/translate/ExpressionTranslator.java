package dev.chert.planner.translate;

import com.google.common.collect.Range;
import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.SourcePosition;
import dev.chert.error.TableException;
import dev.chert.expression.Expression;
import dev.chert.expression.Expression.And;
import dev.chert.expression.Expression.Branch;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.Case;
import dev.chert.expression.Expression.Coalesce;
import dev.chert.expression.Expression.In;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.IsDistinct;
import dev.chert.expression.Expression.IsNull;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.Expression.Or;
import dev.chert.planner.parse.ParseErrors;
import dev.chert.planner.types.TypeMapping;
import dev.chert.planner.validate.Operators;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Sarg;

/// Expressions of Calcite's as expressions of ours, over the same columns.
final class ExpressionTranslator {
    private final RexBuilder rex;

    ExpressionTranslator(RexBuilder rex) {
        this.rex = rex;
    }

    Expression translate(RexNode node) {
        return switch (node) {
            case RexInputRef reference ->
                new InputColumn(reference.getIndex(), TypeMapping.dataType(reference.getType()));
            case RexLiteral literal -> Literals.of(literal);
            case RexOver over ->
                throw refused("the window function " + over.getOperator().getName(), over);
            case RexCall call -> call(call);
            default -> throw new TableException("the expression " + node + " is not supported");
        };
    }

    List<Expression> translate(List<? extends RexNode> nodes) {
        return nodes.stream().map(this::translate).toList();
    }

    /// A conversion, where the types differ.
    static Expression converted(Expression input, DataType type, SourcePosition position) {
        if (input.type().equals(type)) {
            return input;
        }
        return FunctionCalls.cast(input, type, false, position);
    }

    private static TableException refused(String what, RexCall call) {
        return new TableException(what + " is not supported", ParseErrors.position(call.getParserPosition()));
    }

    private Expression call(RexCall call) {
        List<RexNode> operands = call.getOperands();
        SourcePosition position = ParseErrors.position(call.getParserPosition());
        DataType type = TypeMapping.dataType(call.getType());
        return switch (call.getKind()) {
            case AND -> new And(translate(operands));
            case OR -> new Or(translate(operands));
            case NOT -> not(translate(operands.get(0)));
            case IS_NULL, IS_UNKNOWN -> new IsNull(translate(operands.get(0)), false);
            case IS_NOT_NULL -> new IsNull(translate(operands.get(0)), true);
            case IS_TRUE -> isTrue(operands.get(0));
            case IS_NOT_TRUE -> not(isTrue(operands.get(0)));
            case IS_FALSE -> isFalse(operands.get(0));
            case IS_NOT_FALSE -> not(isFalse(operands.get(0)));
            case IS_DISTINCT_FROM -> distinct(operands, false);
            case IS_NOT_DISTINCT_FROM -> distinct(operands, true);
            case CASE -> conditional(operands, type, position);
            case COALESCE ->
                new Coalesce(
                        operands.stream()
                                .map(o -> converted(translate(o), type, position))
                                .toList(),
                        type);
            case CAST -> cast(call, false, position);
            case SAFE_CAST -> cast(call, true, position);
            case REINTERPRET -> converted(translate(operands.get(0)), type, position);
            case SEARCH -> search(call);
            case EXTRACT -> extract(call, type, position);
            case TRIM -> trim(operands, type, position);
            case FLOOR, CEIL -> operands.size() == 2 ? rounded(call, type, position) : named(call, type, position);
            case PLUS, MINUS -> type.equals(ScalarType.DATE) ? shifted(call, position) : named(call, type, position);
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                compared(call, type, position);
            default -> named(call, type, position);
        };
    }

    private Expression compared(RexCall call, DataType type, SourcePosition position) {
        List<Expression> operands = call.getOperands().stream()
                .map(operand -> translate(asChar(operand)))
                .toList();
        return FunctionCalls.bind(Operators.name(call.getOperator()), operands, type, position);
    }

    /// What a comparison compares: Calcite casts CHAR to the VARCHAR beside it, but CHAR compares without its
    /// padding.
    static RexNode asChar(RexNode operand) {
        boolean cast = operand.getKind() == SqlKind.CAST && operand.getType().getSqlTypeName() == SqlTypeName.VARCHAR;
        if (cast && ((RexCall) operand).getOperands().getFirst().getType().getSqlTypeName() == SqlTypeName.CHAR) {
            return ((RexCall) operand).getOperands().getFirst();
        }
        return operand;
    }

    private Expression named(RexCall call, DataType type, SourcePosition position) {
        String name = switch (call.getKind()) {
            case PLUS -> "+";
            case MINUS -> isDifference(call) ? "whole_months" : "-";
            default -> Operators.name(call.getOperator());
        };
        if (name == null) {
            throw refused("the function " + call.getOperator().getName(), call);
        }
        return FunctionCalls.bind(name, translate(call.getOperands()), type, position);
    }

    /// True of the months between two times.
    private static boolean isDifference(RexCall call) {
        return call.getType().getSqlTypeName().isYearMonth()
                && SqlTypeUtil.isDatetime(call.getOperands().get(0).getType());
    }

    /// FLOOR(x TO unit), CEIL(x TO unit).
    private Expression rounded(RexCall call, DataType type, SourcePosition position) {
        RexLiteral unit = (RexLiteral) call.getOperands().get(1);
        TimeUnitRange range = unit.getValueAs(TimeUnitRange.class);
        Expression argument = translate(call.getOperands().get(0));
        return FunctionCalls.rounded(call.getKind() == SqlKind.CEIL, range, argument, type, position);
    }

    /// A date moved by an interval, which is a date: of a day-time interval only whole days count.
    private Expression shifted(RexCall call, SourcePosition position) {
        List<Expression> operands = translate(call.getOperands());
        if (operands.get(1).type().equals(ScalarType.DATE)) {
            operands = operands.reversed();
        }
        boolean dayTime = operands.get(1).type().kind() == TypeKind.INTERVAL_DAY_TIME;
        boolean added = call.getKind() == SqlKind.PLUS;
        String name = dayTime ? added ? "date_add" : "date_sub" : added ? "+" : "-";
        return FunctionCalls.bind(name, operands, ScalarType.DATE, position);
    }

    private static Expression not(Expression operand) {
        return new Call("not", List.of(operand), ScalarType.BOOLEAN, null);
    }

    private Expression isTrue(RexNode operand) {
        Expression translated = translate(operand);
        return operand.getType().isNullable()
                ? new Coalesce(List.of(translated, Literal.FALSE), ScalarType.BOOLEAN)
                : translated;
    }

    private Expression isFalse(RexNode operand) {
        Expression translated = translate(operand);
        return not(
                operand.getType().isNullable()
                        ? new Coalesce(List.of(translated, Literal.TRUE), ScalarType.BOOLEAN)
                        : translated);
    }

    private Expression distinct(List<RexNode> operands, boolean negated) {
        Expression left = translate(operands.get(0));
        Expression right = translate(operands.get(1));
        if (!left.type().equals(right.type())) {
            DataType common = common(operands.get(0), operands.get(1));
            left = converted(left, common, null);
            right = converted(right, common, null);
        }
        return new IsDistinct(left, right, negated);
    }

    /// The type to which both sides of a comparison are converted.
    DataType common(RexNode left, RexNode right) {
        RelDataType common = rex.getTypeFactory().leastRestrictive(List.of(left.getType(), right.getType()));
        if (common == null) {
            throw new TableException("comparing " + TypeMapping.text(left.getType()) + " with "
                    + TypeMapping.text(right.getType()) + " is not supported");
        }
        return TypeMapping.dataType(common);
    }

    private Expression conditional(List<RexNode> operands, DataType type, SourcePosition position) {
        List<Branch> branches = new ArrayList<>();
        for (int i = 0; i + 1 < operands.size(); i += 2) {
            branches.add(
                    new Branch(translate(operands.get(i)), converted(translate(operands.get(i + 1)), type, position)));
        }
        return new Case(branches, converted(translate(operands.getLast()), type, position), type);
    }

    private Expression cast(RexCall call, boolean tried, SourcePosition position) {
        if (call.getOperands().size() > 1) {
            throw refused("CAST with FORMAT", call);
        }
        RexNode operand = call.getOperands().getFirst();
        Expression input = translate(operand);
        DataType type = TypeMapping.dataType(call.getType());
        if (input.type().equals(type)) {
            return input;
        }
        if (SqlTypeUtil.isInterval(operand.getType()) && SqlTypeUtil.isExactNumeric(call.getType())) {
            BigDecimal unit = operand.getType().getIntervalQualifier().getUnit().multiplier;
            return FunctionCalls.intervalToNumber(input, unit, type, tried, position);
        }
        return FunctionCalls.cast(input, type, tried, position);
    }

    /// A set of points is an IN; what has ranges becomes comparisons again.
    private Expression search(RexCall call) {
        RexNode operand = call.getOperands().get(0);
        Sarg<?> sarg = ((RexLiteral) call.getOperands().get(1)).getValueAs(Sarg.class);
        boolean plainNulls = sarg != null && sarg.nullAs == RexUnknownAs.UNKNOWN && asChar(operand) == operand;
        if (plainNulls && sarg.isPoints() && sarg.pointCount > 1) {
            return new In(translate(operand), points(sarg, operand.getType()), false);
        }
        if (plainNulls && sarg.isComplementedPoints()) {
            Sarg<?> excluded = sarg.negate();
            if (excluded.pointCount > 1) {
                return new In(translate(operand), points(excluded, operand.getType()), true);
            }
        }
        RexNode expanded = RexUtil.expandSearch(rex, null, call);
        if (expanded.getKind() == SqlKind.SEARCH) {
            throw new TableException("the condition " + call + " is not supported");
        }
        return translate(expanded);
    }

    private static List<Literal> points(Sarg<?> sarg, RelDataType type) {
        List<Literal> points = new ArrayList<>();
        for (Range<?> range : sarg.rangeSet.asRanges()) {
            points.add(Literals.of(range.lowerEndpoint(), type));
        }
        return points;
    }

    private Expression extract(RexCall call, DataType type, SourcePosition position) {
        RexLiteral unit = (RexLiteral) call.getOperands().get(0);
        TimeUnitRange range = unit.getValueAs(TimeUnitRange.class);
        Expression argument = translate(call.getOperands().get(1));
        return FunctionCalls.extract(range, argument, type, position);
    }

    private Expression trim(List<RexNode> operands, DataType type, SourcePosition position) {
        SqlTrimFunction.Flag flag = ((RexLiteral) operands.get(0)).getValueAs(SqlTrimFunction.Flag.class);
        String name = switch (flag) {
            case LEADING -> "ltrim";
            case TRAILING -> "rtrim";
            case BOTH -> "trim";
        };
        Expression characters = translate(operands.get(1));
        Expression input = translate(operands.get(2));
        boolean blanks = characters instanceof Literal literal && " ".equals(literal.value());
        return FunctionCalls.bind(name, blanks ? List.of(input) : List.of(input, characters), type, position);
    }
}
