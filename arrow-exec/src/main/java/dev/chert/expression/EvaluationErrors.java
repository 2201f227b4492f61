package dev.chert.expression;

import dev.chert.error.SourcePosition;
import dev.chert.error.ValidationException;
import dev.chert.function.FunctionException;
import dev.chert.function.FunctionException.Reason;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import dev.chert.query.Settings.OnError;

/// What happens to a row for which a function has no result: an error that names the expression, or NULL.
final class EvaluationErrors {
    private static final String TRIED = " TRY_CAST gives NULL instead";

    private final Expression expression;
    private final SourcePosition position;
    private final boolean tried;
    private final boolean nullOnOverflow;
    private final boolean nullOnDivision;

    /// @param tried whether every failure gives NULL
    EvaluationErrors(Expression expression, SourcePosition position, boolean tried, QueryContext query) {
        this.expression = expression;
        this.position = position;
        this.tried = tried;
        this.nullOnOverflow = query.settings().get(Settings.OVERFLOW) == OnError.NULL;
        this.nullOnDivision = query.settings().get(Settings.DIVISION_BY_ZERO) == OnError.NULL;
    }

    /// True where the row becomes NULL; otherwise [#explain] makes the error.
    boolean givesNull(RuntimeException failure) {
        return tried
                || switch (reason(failure)) {
                    case OVERFLOW -> nullOnOverflow;
                    case DIVISION_BY_ZERO -> nullOnDivision;
                    case INVALID_ARGUMENT -> false;
                };
    }

    static Reason reason(RuntimeException failure) {
        // Java's own arithmetic only overflows here: functions look for zero divisors themselves.
        return failure instanceof FunctionException known ? known.reason() : Reason.OVERFLOW;
    }

    /// True where some failure gives NULL.
    boolean mayGiveNull() {
        return tried || nullOnOverflow || nullOnDivision;
    }

    ValidationException explain(RuntimeException failure) {
        boolean isCast = expression instanceof Expression.Cast;
        String message = switch (reason(failure)) {
            case DIVISION_BY_ZERO ->
                "division by zero in " + expression
                        + "; nullif on the divisor or the setting sql.division-by-zero = null gives NULL";
            case OVERFLOW ->
                overflow(failure)
                        + (isCast ? "; cast to a wider type, or" + TRIED : "; cast an operand to a wider type");
            case INVALID_ARGUMENT -> failure.getMessage() + " in " + expression + (isCast ? ";" + TRIED : "");
        };
        return new ValidationException(message, position, failure);
    }

    private String overflow(RuntimeException failure) {
        return failure instanceof FunctionException
                ? failure.getMessage() + " in " + expression
                : expression + " overflowed " + expression.type();
    }
}
