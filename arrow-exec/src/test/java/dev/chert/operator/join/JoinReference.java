package dev.chert.operator.join;

import dev.chert.plan.JoinKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a join gives, found by comparing every pair.
final class JoinReference {
    /// A three-valued condition: null is unknown.
    interface Condition {
        Boolean of(List<Object> left, List<Object> right);
    }

    private JoinReference() {}

    static List<List<Object>> join(
            JoinKind kind,
            List<List<Object>> left,
            List<List<Object>> right,
            int leftColumns,
            int rightColumns,
            Condition condition) {
        List<List<Object>> rows = new ArrayList<>();
        boolean[] rightMatched = new boolean[right.size()];
        for (List<Object> l : left) {
            boolean any = false;
            boolean unknown = false;
            for (int r = 0; r < right.size(); r++) {
                Boolean outcome = condition.of(l, right.get(r));
                unknown |= outcome == null;
                if (outcome != null && outcome) {
                    any = true;
                    rightMatched[r] = true;
                    switch (kind) {
                        case INNER, LEFT, RIGHT, FULL -> rows.add(concat(l, right.get(r)));
                        case SEMI, ANTI, NULL_AWARE_ANTI, MARK, RIGHT_SEMI, RIGHT_ANTI -> {}
                    }
                }
            }
            switch (kind) {
                case LEFT, FULL -> {
                    if (!any) {
                        rows.add(concat(l, Collections.nCopies(rightColumns, null)));
                    }
                }
                case SEMI -> {
                    if (any) {
                        rows.add(l);
                    }
                }
                case ANTI -> {
                    if (!any) {
                        rows.add(l);
                    }
                }
                case NULL_AWARE_ANTI -> {
                    if (!any && !unknown) {
                        rows.add(l);
                    }
                }
                case MARK ->
                    rows.add(concat(l, Collections.singletonList(any ? Boolean.TRUE : unknown ? null : false)));
                case INNER, RIGHT, RIGHT_SEMI, RIGHT_ANTI -> {}
            }
        }
        for (int r = 0; r < right.size(); r++) {
            switch (kind) {
                case RIGHT, FULL -> {
                    if (!rightMatched[r]) {
                        rows.add(concat(Collections.nCopies(leftColumns, null), right.get(r)));
                    }
                }
                case RIGHT_SEMI -> {
                    if (rightMatched[r]) {
                        rows.add(right.get(r));
                    }
                }
                case RIGHT_ANTI -> {
                    if (!rightMatched[r]) {
                        rows.add(right.get(r));
                    }
                }
                case INNER, LEFT, SEMI, ANTI, NULL_AWARE_ANTI, MARK -> {}
            }
        }
        return rows;
    }

    /// As [#join], where rows with different values in their first column have no match, found group by group.
    static List<List<Object>> joinByKey(
            JoinKind kind,
            List<List<Object>> left,
            List<List<Object>> right,
            int leftColumns,
            int rightColumns,
            Condition condition) {
        Map<Object, List<List<Object>>> leftByKey = byKey(left);
        Map<Object, List<List<Object>>> rightByKey = byKey(right);
        Set<Object> keys = new HashSet<>(leftByKey.keySet());
        keys.addAll(rightByKey.keySet());
        List<List<Object>> rows = new ArrayList<>();
        for (Object key : keys) {
            List<List<Object>> l = leftByKey.getOrDefault(key, List.of());
            List<List<Object>> r = rightByKey.getOrDefault(key, List.of());
            rows.addAll(join(kind, l, r, leftColumns, rightColumns, condition));
        }
        return rows;
    }

    private static Map<Object, List<List<Object>>> byKey(List<List<Object>> rows) {
        Map<Object, List<List<Object>>> byKey = new HashMap<>();
        rows.forEach(row ->
                byKey.computeIfAbsent(row.getFirst(), _ -> new ArrayList<>()).add(row));
        return byKey;
    }

    /// Three-valued AND.
    static Boolean and(Boolean a, Boolean b) {
        if (a != null && !a || b != null && !b) {
            return false;
        }
        return a == null || b == null ? null : Boolean.TRUE;
    }

    private static List<Object> concat(List<Object> a, List<Object> b) {
        List<Object> both = new ArrayList<>(a);
        both.addAll(b);
        return both;
    }
}
