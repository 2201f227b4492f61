package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.TypeKind;
import dev.chert.error.ValidationException;
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
import dev.chert.function.Conversions;
import dev.chert.function.FunctionRegistry;
import dev.chert.function.Implementation;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.List;

/// Turns expressions into what runs them: finds implementations and folds what depends on no column.
final class Preparation {
    private final QueryContext query;
    private final Allocator allocator;

    Preparation(QueryContext query, Allocator allocator) {
        this.query = query;
        this.allocator = allocator;
    }

    Evaluation prepare(Expression expression) {
        return switch (expression) {
            case Literal literal -> ConstantEvaluation.of(literal, allocator);
            case InputColumn input -> new InputEvaluation(input.index(), input.type());
            case Call call -> prepareCall(call);
            case Cast cast -> prepareCast(cast);
            case And and -> prepareLogic(and.operands(), false);
            case Or or -> prepareLogic(or.operands(), true);
            case IsNull isNull -> prepareIsNull(isNull);
            case IsDistinct distinct -> prepareDistinct(distinct);
            case In in -> prepareIn(in);
            case Case choice -> prepareCase(choice);
            case Coalesce coalesce -> prepareCoalesce(coalesce);
        };
    }

    private List<Evaluation> prepareAll(List<Expression> expressions) {
        return expressions.stream().map(this::prepare).toList();
    }

    private Evaluation prepareLogic(List<Expression> expressions, boolean decidedBy) {
        List<Evaluation> operands = prepareAll(expressions);
        return folded(new LogicEvaluation(operands, decidedBy, query, allocator), operands);
    }

    private Evaluation prepareIsNull(IsNull isNull) {
        Evaluation input = prepare(isNull.input());
        return folded(new IsNullEvaluation(input, isNull.negated(), allocator), List.of(input));
    }

    private Evaluation prepareIn(In in) {
        Evaluation input = prepare(in.input());
        return folded(new InEvaluation(input, in.values(), in.negated(), allocator), List.of(input));
    }

    private Evaluation prepareCoalesce(Coalesce coalesce) {
        List<Evaluation> operands = prepareAll(coalesce.operands());
        return folded(new CoalesceEvaluation(coalesce.type(), operands, query, allocator), operands);
    }

    private Evaluation prepareCall(Call call) {
        List<Evaluation> arguments = prepareAll(call.arguments());
        List<DataType> types = call.arguments().stream().map(Expression::type).toList();
        Implementation found = FunctionRegistry.implementation(call.function(), types, call.type());
        EvaluationErrors errors = new EvaluationErrors(call, call.position(), false, query);
        CallEvaluation evaluation = new CallEvaluation(call.type(), arguments, found, errors, query, allocator);
        return found.any().deterministic() ? folded(evaluation, arguments) : evaluation;
    }

    private Evaluation prepareCast(Cast cast) {
        Evaluation input = prepare(cast.input());
        if (cast.input().type().kind() == TypeKind.NULL) {
            input.close();
            return prepare(new Literal(null, cast.type()));
        }
        if (Conversions.changesNoValue(cast.input().type(), cast.type())) {
            return folded(new RelabelEvaluation(input, cast.type()), List.of(input));
        }
        Implementation found = FunctionRegistry.implementation(
                FunctionRegistry.CAST, List.of(cast.input().type()), cast.type());
        EvaluationErrors errors = new EvaluationErrors(cast, cast.position(), cast.tried(), query);
        return folded(new CallEvaluation(cast.type(), List.of(input), found, errors, query, allocator), List.of(input));
    }

    private Evaluation prepareDistinct(IsDistinct distinct) {
        if (distinct.left().type().kind() == TypeKind.NULL) {
            return prepare(new IsNull(distinct.right(), !distinct.negated()));
        }
        if (distinct.right().type().kind() == TypeKind.NULL) {
            return prepare(new IsNull(distinct.left(), !distinct.negated()));
        }
        Evaluation left = prepare(distinct.left());
        Evaluation right = prepare(distinct.right());
        Call equal = new Call("=", List.of(distinct.left(), distinct.right()), ScalarType.BOOLEAN, null);
        Implementation found = FunctionRegistry.implementation(
                "=", List.of(distinct.left().type(), distinct.right().type()), ScalarType.BOOLEAN);
        CallEvaluation equality = new CallEvaluation(
                ScalarType.BOOLEAN,
                List.of(left, right),
                found,
                new EvaluationErrors(equal, null, false, query),
                query,
                allocator);
        return folded(
                new IsDistinctEvaluation(left, right, equality, distinct.negated(), allocator), List.of(left, right));
    }

    private Evaluation prepareCase(Case choice) {
        List<Evaluation> conditions =
                prepareAll(choice.branches().stream().map(Branch::condition).toList());
        List<Evaluation> results =
                prepareAll(choice.branches().stream().map(Branch::result).toList());
        Evaluation otherwise = prepare(choice.otherwise());
        List<Evaluation> all = new ArrayList<>(conditions);
        all.addAll(results);
        all.add(otherwise);
        return folded(new CaseEvaluation(choice.type(), conditions, results, otherwise, query, allocator), all);
    }

    /// Evaluates once what depends on constants only. What fails is left to fail where it is evaluated, if it is.
    private Evaluation folded(Evaluation evaluation, List<Evaluation> arguments) {
        if (!arguments.stream().allMatch(argument -> argument.constantValue() != null)) {
            return evaluation;
        }
        try {
            Column constant = evaluation.evaluate(Rows.single());
            Column value = constant.firstRow();
            constant.release();
            evaluation.close();
            return new ConstantEvaluation(value);
        } catch (ValidationException e) {
            return evaluation;
        }
    }
}
