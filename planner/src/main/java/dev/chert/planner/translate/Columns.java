package dev.chert.planner.translate;

import dev.chert.expression.Expression;
import dev.chert.expression.Expression.And;
import dev.chert.expression.Expression.Branch;
import dev.chert.expression.Expression.Call;
import dev.chert.expression.Expression.Case;
import dev.chert.expression.Expression.Cast;
import dev.chert.expression.Expression.Coalesce;
import dev.chert.expression.Expression.In;
import dev.chert.expression.Expression.InputColumn;
import dev.chert.expression.Expression.IsDistinct;
import dev.chert.expression.Expression.IsNull;
import dev.chert.expression.Expression.Literal;
import dev.chert.expression.Expression.Or;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/// The columns that expressions name, under other numbers or replaced.
final class Columns {
    private Columns() {}

    /// Every column by its new number.
    static Expression renumbered(Expression expression, IntUnaryOperator number) {
        return replaced(expression, c -> new InputColumn(number.applyAsInt(c.index()), c.type()));
    }

    /// Every column by an expression.
    static Expression replaced(Expression expression, Function<InputColumn, Expression> column) {
        return switch (expression) {
            case InputColumn input -> column.apply(input);
            case Literal literal -> literal;
            case Call call -> new Call(call.function(), all(call.arguments(), column), call.type(), call.position());
            case Cast cast -> new Cast(replaced(cast.input(), column), cast.type(), cast.tried(), cast.position());
            case And and -> new And(all(and.operands(), column));
            case Or or -> new Or(all(or.operands(), column));
            case IsNull isNull -> new IsNull(replaced(isNull.input(), column), isNull.negated());
            case IsDistinct distinct ->
                new IsDistinct(
                        replaced(distinct.left(), column), replaced(distinct.right(), column), distinct.negated());
            case In in -> new In(replaced(in.input(), column), in.values(), in.negated());
            case Case conditional ->
                new Case(
                        conditional.branches().stream()
                                .map(b -> new Branch(replaced(b.condition(), column), replaced(b.result(), column)))
                                .toList(),
                        replaced(conditional.otherwise(), column),
                        conditional.type());
            case Coalesce coalesce -> new Coalesce(all(coalesce.operands(), column), coalesce.type());
        };
    }

    /// Adds the numbers of all columns that an expression names.
    static void collect(Expression expression, Collection<Integer> numbers) {
        replaced(expression, c -> {
            numbers.add(c.index());
            return c;
        });
    }

    private static List<Expression> all(List<Expression> expressions, Function<InputColumn, Expression> column) {
        return expressions.stream().map(e -> replaced(e, column)).toList();
    }
}
