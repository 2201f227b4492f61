package dev.chert.expression;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.error.SourcePosition;
import java.io.Serializable;
import java.util.List;

/// A typed expression over the columns of a batch: a plain, serialisable value.
///
/// Functions and operators are [Call]s by name, resolved by the function registry; what must not evaluate all its
/// operands on all rows, or does not treat NULL as "gives NULL", is a form of its own.
public sealed interface Expression extends Serializable {
    DataType type();

    /// A constant.
    ///
    /// @param value null, or by kind: Boolean; Long for integers, DATE (days since 1970-01-01), TIME, TIMESTAMP,
    ///              TIMESTAMP_LTZ (units of the type since midnight or 1970-01-01), intervals (months, units);
    ///              Double for REAL and DOUBLE; BigDecimal of the type's scale; String for CHAR and VARCHAR;
    ///              hexadecimal digits as a String for VARBINARY; java.util.UUID
    record Literal(Serializable value, DataType type) implements Expression {
        public static final Literal TRUE = new Literal(true, ScalarType.BOOLEAN);
        public static final Literal FALSE = new Literal(false, ScalarType.BOOLEAN);

        public boolean isNull() {
            return value == null;
        }

        @Override
        public String toString() {
            return value instanceof String text ? "'" + text.replace("'", "''") + "'" : String.valueOf(value);
        }
    }

    /// Column number `index` of the input batch.
    record InputColumn(int index, DataType type) implements Expression {
        @Override
        public String toString() {
            return "#" + index;
        }
    }

    /// A function or operator that evaluates all its arguments.
    ///
    /// @param function the registry's name: lower case, operators by their sign (`+`, `=`, `<>`, `not`, `like`)
    /// @param position where it stands in the statement, for errors while it runs; null where it does not
    record Call(String function, List<Expression> arguments, DataType type, SourcePosition position)
            implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }

        @Override
        public String toString() {
            if (arguments.size() == 2 && !Character.isLetter(function.charAt(0))) {
                return "(" + arguments.get(0) + " " + function + " " + arguments.get(1) + ")";
            }
            return function + arguments.toString().replace('[', '(').replace(']', ')');
        }
    }

    /// CAST, or TRY_CAST where `tried`: then a value that cannot be converted gives NULL instead of an error.
    record Cast(Expression input, DataType type, boolean tried, SourcePosition position) implements Expression {
        @Override
        public String toString() {
            return (tried ? "try_cast(" : "cast(") + input + " as " + type + ")";
        }
    }

    /// Three-valued AND; a later operand is evaluated only on rows that earlier ones leave open.
    record And(List<Expression> operands) implements Expression {
        public And {
            operands = List.copyOf(operands);
        }

        @Override
        public DataType type() {
            return ScalarType.BOOLEAN;
        }

        @Override
        public String toString() {
            return joined(operands, " and ");
        }
    }

    /// Three-valued OR; a later operand is evaluated only on rows that earlier ones leave open.
    record Or(List<Expression> operands) implements Expression {
        public Or {
            operands = List.copyOf(operands);
        }

        @Override
        public DataType type() {
            return ScalarType.BOOLEAN;
        }

        @Override
        public String toString() {
            return joined(operands, " or ");
        }
    }

    /// Never NULL: whether `input` is NULL, or is not where `negated`.
    record IsNull(Expression input, boolean negated) implements Expression {
        @Override
        public DataType type() {
            return ScalarType.BOOLEAN;
        }

        @Override
        public String toString() {
            return input + (negated ? " is not null" : " is null");
        }
    }

    /// Never NULL: whether both are equal, two NULLs being equal; the contrary where `negated`.
    record IsDistinct(Expression left, Expression right, boolean negated) implements Expression {
        @Override
        public DataType type() {
            return ScalarType.BOOLEAN;
        }

        @Override
        public String toString() {
            return "(" + left + (negated ? " is not distinct from " : " is distinct from ") + right + ")";
        }
    }

    /// Three-valued IN over constants of the input's type, or NOT IN where `negated`.
    record In(Expression input, List<Literal> values, boolean negated) implements Expression {
        public In {
            values = List.copyOf(values);
        }

        @Override
        public DataType type() {
            return ScalarType.BOOLEAN;
        }

        @Override
        public String toString() {
            return input + (negated ? " not in " : " in ") + joined(values, ", ");
        }
    }

    /// The result of the first branch whose condition is true, else `otherwise`; each result is evaluated on its
    /// rows only.
    record Case(List<Branch> branches, Expression otherwise, DataType type) implements Expression {
        public Case {
            branches = List.copyOf(branches);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("case");
            branches.forEach(b ->
                    text.append(" when ").append(b.condition()).append(" then ").append(b.result()));
            return text.append(" else ").append(otherwise).append(" end").toString();
        }
    }

    /// One WHEN of a [Case].
    record Branch(Expression condition, Expression result) implements Serializable {}

    /// The first operand that is not NULL; later ones are evaluated only where earlier ones are NULL.
    record Coalesce(List<Expression> operands, DataType type) implements Expression {
        public Coalesce {
            operands = List.copyOf(operands);
        }

        @Override
        public String toString() {
            return "coalesce" + joined(operands, ", ");
        }
    }

    private static String joined(List<? extends Expression> operands, String separator) {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < operands.size(); i++) {
            text.append(i == 0 ? "" : separator).append(operands.get(i));
        }
        return text.append(")").toString();
    }
}
