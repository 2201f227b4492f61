package dev.chert.query;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/// Finds the name a user probably meant, by edit distance without regard to case.
public final class NearestName {
    private NearestName() {}

    /// The candidate with the fewest single-letter edits from `name`, or null where there are no candidates.
    public static String of(String name, Collection<String> candidates) {
        String wanted = name.toLowerCase(Locale.ROOT);
        return candidates.stream()
                .min(Comparator.comparingInt((String c) -> distance(wanted, c.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .orElse(null);
    }

    /// Levenshtein's distance: insertions, deletions and replacements.
    static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            int[] swap = previous;
            previous = current;
            current = swap;
        }
        return previous[b.length()];
    }
}
