package dev.chert.operator.aggregate;

import dev.chert.batch.DataType;
import dev.chert.batch.RowString;
import dev.chert.expression.AggregateCall;
import dev.chert.expression.Expression;
import dev.chert.function.aggregate.AggregateFunction;
import dev.chert.function.aggregate.AggregateFunctions;
import dev.chert.operator.table.RowLayout;
import dev.chert.plan.PhysicalPlan;
import dev.chert.query.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// What a [PhysicalPlan.HashAggregate] has to do, worked out once and shared by all workers: which expressions to
/// evaluate, what a group's row holds, and which functions take which columns.
///
/// Equal expressions are evaluated once, calls with the same argument and filter are fed together, and functions
/// with the same state share it.
final class Aggregation {
    /// A function's state in a group's row.
    record State(AggregateFunction function, int offset) {}

    /// Functions that are shown the same rows.
    ///
    /// @param arguments columns of the evaluated expressions
    /// @param filter    the column of the condition, or -1
    /// @param skipNulls whether rows with a NULL argument are left out
    /// @param readsValues whether any of the functions looks at values
    record Update(List<Integer> arguments, int filter, boolean skipNulls, boolean readsValues, List<State> states) {}

    /// Functions that are shown each distinct tuple of arguments of a group once.
    ///
    /// @param layout of the set's rows: the group's key, then the arguments
    record Distinct(List<Integer> arguments, int filter, RowLayout layout, List<State> states) {}

    private record Input(List<Integer> arguments, int filter, boolean skipNulls, boolean distinct) {}

    private final List<Expression> expressions = new ArrayList<>();
    private final int keyCount;
    private final RowLayout layout;
    private final List<Update> updates = new ArrayList<>();
    private final List<Distinct> distincts = new ArrayList<>();
    private final List<State> allStates = new ArrayList<>();
    private final List<State> results = new ArrayList<>();

    Aggregation(PhysicalPlan.HashAggregate node, Settings settings) {
        keyCount = node.keys().size();
        expressions.addAll(node.keys());
        List<DataType> keyTypes = node.keys().stream().map(Expression::type).toList();
        int statesAt = new RowLayout(keyTypes, 0).extraOffset();
        int end = statesAt;
        Map<Input, List<State>> inputs = new LinkedHashMap<>();
        for (AggregateCall call : node.aggregates()) {
            AggregateFunction function = AggregateFunctions.bind(call, settings);
            List<Integer> arguments =
                    call.arguments().stream().map(this::column).toList();
            boolean distinct = call.distinct()
                    && !arguments.isEmpty()
                    && !AggregateFunctions.find(call.function()).ignoresDistinct();
            int filter = call.filter() == null ? -1 : column(call.filter());
            List<State> states = inputs.computeIfAbsent(
                    new Input(arguments, filter, !function.seesNulls(), distinct), _ -> new ArrayList<>());
            State state = sharedState(states, function);
            if (state == null) {
                state = new State(function, end);
                end += function.stateBytes();
                states.add(state);
                allStates.add(state);
            }
            results.add(new State(function, state.offset()));
        }
        List<RowString> strings = allStates.stream()
                .map(state -> state.function().string(state.offset()))
                .filter(Objects::nonNull)
                .toList();
        layout = new RowLayout(keyTypes, end - statesAt, strings);
        inputs.forEach((input, states) -> {
            if (input.distinct()) {
                List<DataType> types = new ArrayList<>(keyTypes);
                input.arguments().forEach(a -> types.add(expressions.get(a).type()));
                distincts.add(
                        new Distinct(input.arguments(), input.filter(), new RowLayout(types, 0), List.copyOf(states)));
            } else {
                boolean readsValues = states.stream().anyMatch(s -> s.function().readsValues());
                updates.add(new Update(
                        input.arguments(), input.filter(), input.skipNulls(), readsValues, List.copyOf(states)));
            }
        });
    }

    private int column(Expression expression) {
        int known = expressions.indexOf(expression);
        if (known >= 0) {
            return known;
        }
        expressions.add(expression);
        return expressions.size() - 1;
    }

    private static State sharedState(List<State> states, AggregateFunction function) {
        return states.stream()
                .filter(s -> s.function().stateKind().equals(function.stateKind()))
                .findFirst()
                .orElse(null);
    }

    /// What is evaluated on each batch: the keys, then arguments and filters.
    List<Expression> expressions() {
        return expressions;
    }

    int keyCount() {
        return keyCount;
    }

    /// Of a group's row: the key's fields, then the states.
    RowLayout layout() {
        return layout;
    }

    List<Update> updates() {
        return updates;
    }

    List<Distinct> distincts() {
        return distincts;
    }

    /// Every state of a group's row once, to be merged.
    List<State> states() {
        return allStates;
    }

    /// The function that finishes each call of the plan, and the state that it finishes.
    List<State> results() {
        return results;
    }
}
