package dev.chert.sqltest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Few assignments of values to settings such that any two values of two settings meet in one of them.
final class PairwiseSettings {
    /// A value of one setting together with a value of another one that comes later in the list.
    private record Pair(int first, String firstValue, int second, String secondValue) {}

    private PairwiseSettings() {}

    /// Chooses assignments, always the same for the same settings.
    /// @param values the values of each setting, in the order in which a choice is made
    static List<Map<String, String>> of(Map<String, List<String>> values) {
        List<String> keys = List.copyOf(values.keySet());
        Set<Pair> open = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            for (int j = i + 1; j < keys.size(); j++) {
                for (String first : values.get(keys.get(i))) {
                    for (String second : values.get(keys.get(j))) {
                        open.add(new Pair(i, first, j, second));
                    }
                }
            }
        }
        List<Map<String, String>> assignments = new ArrayList<>();
        while (!open.isEmpty()) {
            Map<String, String> assignment = next(keys, values, open);
            open.removeIf(pair -> covers(keys, assignment, pair));
            assignments.add(assignment);
        }
        return assignments;
    }

    /// Starts from an open pair and gives each other setting the value that closes most pairs.
    private static Map<String, String> next(List<String> keys, Map<String, List<String>> values, Set<Pair> open) {
        Pair seed = open.stream()
                .min(Comparator.comparingInt(Pair::first)
                        .thenComparingInt(Pair::second)
                        .thenComparing(Pair::firstValue)
                        .thenComparing(Pair::secondValue))
                .orElseThrow();
        Map<String, String> assignment = new LinkedHashMap<>();
        assignment.put(keys.get(seed.first()), seed.firstValue());
        assignment.put(keys.get(seed.second()), seed.secondValue());
        for (String key : keys) {
            if (!assignment.containsKey(key)) {
                assignment.put(key, best(key, values.get(key), keys, assignment, open));
            }
        }
        return assignment;
    }

    private static String best(
            String key, List<String> values, List<String> keys, Map<String, String> assignment, Set<Pair> open) {
        return values.stream()
                .max(Comparator.comparingLong(value -> {
                    Map<String, String> extended = new LinkedHashMap<>(assignment);
                    extended.put(key, value);
                    return open.stream()
                            .filter(pair -> covers(keys, extended, pair))
                            .count();
                }))
                .orElseThrow();
    }

    private static boolean covers(List<String> keys, Map<String, String> assignment, Pair pair) {
        return pair.firstValue().equals(assignment.get(keys.get(pair.first())))
                && pair.secondValue().equals(assignment.get(keys.get(pair.second())));
    }
}
