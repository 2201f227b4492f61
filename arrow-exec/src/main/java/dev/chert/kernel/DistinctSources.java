package dev.chert.kernel;

import java.util.Arrays;

/// Which of many sources some rows come from, so that what is looked up once a source is not looked up once a row.
/// Not thread-safe.
public final class DistinctSources {
    private int[] seen = new int[16];
    private int round;
    private int[] sources = new int[16];
    private int count;

    /// Finds the sources that occur among the first `rows` of `sourceOf`, whose numbers are below `sourceCount`.
    public void find(int[] sourceOf, int rows, int sourceCount) {
        if (seen.length < sourceCount) {
            seen = new int[sourceCount];
            sources = new int[sourceCount];
            round = 0;
        }
        if (++round < 0) {
            Arrays.fill(seen, 0);
            round = 1;
        }
        count = 0;
        for (int i = 0; i < rows; i++) {
            int source = sourceOf[i];
            if (seen[source] != round) {
                seen[source] = round;
                sources[count++] = source;
            }
        }
    }

    /// How many there are.
    public int count() {
        return count;
    }

    /// Number `i` of them, in the order of their first rows.
    public int get(int i) {
        return sources[i];
    }
}
