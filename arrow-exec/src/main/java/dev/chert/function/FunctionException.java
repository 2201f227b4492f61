package dev.chert.function;

import java.util.Locale;

/// A row for which a function has no result. Carries no stack trace: it may be thrown once a row.
///
/// The evaluator adds the expression and its place in the statement.
public final class FunctionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// What kind of failure, by which settings decide between an error and NULL.
    public enum Reason {
        OVERFLOW,
        DIVISION_BY_ZERO,
        INVALID_ARGUMENT
    }

    private final Reason reason;

    private FunctionException(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    /// A number that its type does not hold.
    ///
    /// @param found the value, in the message: `300 does not fit TINYINT`
    public static FunctionException overflow(Object found, Object type) {
        return new FunctionException(Reason.OVERFLOW, found + " does not fit " + type);
    }

    public static FunctionException divisionByZero() {
        return new FunctionException(Reason.DIVISION_BY_ZERO, "division by zero");
    }

    public static FunctionException invalid(String message, Object... arguments) {
        return new FunctionException(
                Reason.INVALID_ARGUMENT,
                arguments.length == 0 ? message : String.format(Locale.ROOT, message, arguments));
    }

    public Reason reason() {
        return reason;
    }
}
