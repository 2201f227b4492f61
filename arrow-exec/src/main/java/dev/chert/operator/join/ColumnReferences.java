package dev.chert.operator.join;

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
import java.util.BitSet;
import java.util.List;

/// Which input columns expressions read, and expressions that read them elsewhere.
final class ColumnReferences {
    private ColumnReferences() {}

    /// Adds the numbers of the columns that an expression reads.
    static void collect(Expression expression, BitSet columns) {
        switch (expression) {
            case Literal _ -> {}
            case InputColumn column -> columns.set(column.index());
            case Call call -> collect(call.arguments(), columns);
            case Cast cast -> collect(cast.input(), columns);
            case And and -> collect(and.operands(), columns);
            case Or or -> collect(or.operands(), columns);
            case IsNull isNull -> collect(isNull.input(), columns);
            case IsDistinct distinct -> collect(List.of(distinct.left(), distinct.right()), columns);
            case In in -> collect(in.input(), columns);
            case Case choice -> {
                for (Branch branch : choice.branches()) {
                    collect(List.of(branch.condition(), branch.result()), columns);
                }
                collect(choice.otherwise(), columns);
            }
            case Coalesce coalesce -> collect(coalesce.operands(), columns);
        }
    }

    private static void collect(List<? extends Expression> expressions, BitSet columns) {
        expressions.forEach(expression -> collect(expression, columns));
    }

    /// The same expression over a batch in which each column stands `by` places further on.
    static Expression shifted(Expression expression, int by) {
        return switch (expression) {
            case Literal literal -> literal;
            case InputColumn column -> new InputColumn(column.index() + by, column.type());
            case Call call -> new Call(call.function(), shifted(call.arguments(), by), call.type(), call.position());
            case Cast cast -> new Cast(shifted(cast.input(), by), cast.type(), cast.tried(), cast.position());
            case And and -> new And(shifted(and.operands(), by));
            case Or or -> new Or(shifted(or.operands(), by));
            case IsNull isNull -> new IsNull(shifted(isNull.input(), by), isNull.negated());
            case IsDistinct distinct ->
                new IsDistinct(shifted(distinct.left(), by), shifted(distinct.right(), by), distinct.negated());
            case In in -> new In(shifted(in.input(), by), in.values(), in.negated());
            case Case choice ->
                new Case(
                        choice.branches().stream()
                                .map(branch ->
                                        new Branch(shifted(branch.condition(), by), shifted(branch.result(), by)))
                                .toList(),
                        shifted(choice.otherwise(), by),
                        choice.type());
            case Coalesce coalesce -> new Coalesce(shifted(coalesce.operands(), by), coalesce.type());
        };
    }

    private static List<Expression> shifted(List<Expression> expressions, int by) {
        return expressions.stream().map(expression -> shifted(expression, by)).toList();
    }
}
