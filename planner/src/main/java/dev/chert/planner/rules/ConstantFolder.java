package dev.chert.planner.rules;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimestampString;

/// Computes the constants that decide about plans: dates from strings, dates and intervals added, numbers cast
/// and added.
///
/// What it does not know, or what fails, stays an expression, so that an error is raised where and when the query
/// runs and by the code that words it.
public final class ConstantFolder implements RexExecutor {
    private static final BigDecimal MILLIS_A_DAY = BigDecimal.valueOf(86_400_000);

    @Override
    public void reduce(RexBuilder rex, List<RexNode> constants, List<RexNode> reduced) {
        for (RexNode constant : constants) {
            RexNode folded = fold(rex, constant);
            reduced.add(folded == null ? constant : folded);
        }
    }

    /// A literal of the same type, or null where there is none.
    private RexNode fold(RexBuilder rex, RexNode node) {
        if (node instanceof RexLiteral) {
            return node;
        }
        if (!(node instanceof RexCall call)) {
            return null;
        }
        RexLiteral[] operands = new RexLiteral[call.getOperands().size()];
        for (int i = 0; i < operands.length; i++) {
            if (!(fold(rex, call.getOperands().get(i)) instanceof RexLiteral literal)) {
                return null;
            }
            operands[i] = literal;
        }
        return switch (call.getKind()) {
            case CAST -> operands.length == 1 ? cast(rex, operands[0], call.getType()) : null;
            case PLUS, MINUS, TIMES -> arithmetic(rex, call, operands);
            default -> null;
        };
    }

    private static RexNode cast(RexBuilder rex, RexLiteral from, RelDataType type) {
        if (from.isNull()) {
            return rex.makeNullLiteral(type);
        }
        Object value = from.getValue();
        return switch (type.getSqlTypeName()) {
            case DATE ->
                value instanceof NlsString text ? date(rex, text.getValue().strip(), type) : null;
            case TIMESTAMP ->
                value instanceof NlsString text
                        ? timestamp(rex, text.getValue().strip(), type)
                        : from.getType().getSqlTypeName() == SqlTypeName.DATE
                                ? timestamp(
                                        rex, from.getValueAs(DateString.class).toString(), type)
                                : null;
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                value instanceof BigDecimal number && SqlTypeUtil.isExactNumeric(from.getType())
                        ? integer(rex, number.setScale(0, RoundingMode.DOWN), type)
                        : null;
            case DECIMAL -> value instanceof BigDecimal number ? decimal(rex, number, type) : null;
            case DOUBLE -> value instanceof BigDecimal number ? rex.makeLiteral(number, type, false) : null;
            case REAL -> value instanceof BigDecimal number ? real(rex, number, type) : null;
            case VARCHAR -> value instanceof NlsString ? rex.makeLiteral(value, type, false) : null;
            default -> null;
        };
    }

    private static RexNode real(RexBuilder rex, BigDecimal value, RelDataType type) {
        float rounded = value.floatValue();
        return Float.isInfinite(rounded) ? null : rex.makeLiteral(new BigDecimal(rounded), type, false);
    }

    private static RexNode date(RexBuilder rex, String text, RelDataType type) {
        try {
            return rex.makeLiteral(new DateString(LocalDate.parse(text).toString()), type, false);
        } catch (DateTimeException | IllegalArgumentException e) {
            return null; // the cast says what is wrong when it runs
        }
    }

    private static RexNode timestamp(RexBuilder rex, String text, RelDataType type) {
        try {
            String iso = text.replace(' ', 'T');
            LocalDateTime time = iso.indexOf('T') < 0 ? LocalDate.parse(iso).atStartOfDay() : LocalDateTime.parse(iso);
            TimestampString made = new TimestampString(time.format(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss")))
                    .withNanos(time.getNano());
            return rex.makeLiteral(made, type, false);
        } catch (DateTimeException | IllegalArgumentException e) {
            return null; // the cast says what is wrong when it runs
        }
    }

    private static RexNode integer(RexBuilder rex, BigDecimal value, RelDataType type) {
        int bits = switch (type.getSqlTypeName()) {
            case TINYINT -> 7;
            case SMALLINT -> 15;
            case INTEGER -> 31;
            default -> 63;
        };
        return value.toBigInteger().bitLength() > bits ? null : rex.makeLiteral(value, type, false);
    }

    private static RexNode decimal(RexBuilder rex, BigDecimal value, RelDataType type) {
        BigDecimal scaled = value.setScale(type.getScale(), RoundingMode.HALF_UP);
        return scaled.precision() > type.getPrecision() ? null : rex.makeLiteral(scaled, type, false);
    }

    private static RexNode arithmetic(RexBuilder rex, RexCall call, RexLiteral[] operands) {
        if (operands.length != 2) {
            return null;
        }
        RelDataType type = call.getType();
        for (RexLiteral operand : operands) {
            if (operand.isNull()) {
                return rex.makeNullLiteral(type);
            }
        }
        RexLiteral left = operands[0];
        RexLiteral right = operands[1];
        if (type.getSqlTypeName() == SqlTypeName.DATE && SqlTypeUtil.isInterval(right.getType())) {
            return shifted(rex, left, right, call.getKind() == SqlKind.MINUS, type);
        }
        if (!SqlTypeUtil.isExactNumeric(left.getType())
                || !SqlTypeUtil.isExactNumeric(right.getType())
                || !SqlTypeUtil.isExactNumeric(type)) {
            return null;
        }
        BigDecimal a = left.getValueAs(BigDecimal.class);
        BigDecimal b = right.getValueAs(BigDecimal.class);
        BigDecimal result = switch (call.getKind()) {
            case PLUS -> a.add(b);
            case MINUS -> a.subtract(b);
            default -> a.multiply(b);
        };
        return SqlTypeUtil.isDecimal(type) ? decimal(rex, result, type) : integer(rex, result, type);
    }

    /// A date moved by months or days.
    private static RexNode shifted(
            RexBuilder rex, RexLiteral date, RexLiteral interval, boolean back, RelDataType type) {
        DateString start = date.getValueAs(DateString.class);
        BigDecimal amount = interval.getValueAs(BigDecimal.class);
        if (start == null || amount == null) {
            return null;
        }
        LocalDate day = LocalDate.parse(start.toString());
        BigDecimal signed = back ? amount.negate() : amount;
        if (interval.getType().getSqlTypeName().isYearMonth()) {
            return date(rex, day.plusMonths(signed.longValue()).toString(), type);
        }
        BigDecimal[] days = signed.divideAndRemainder(MILLIS_A_DAY);
        return days[1].signum() != 0
                ? null
                : date(rex, day.plusDays(days[0].longValue()).toString(), type);
    }
}
