package dev.chert.operator.sort;

import dev.chert.batch.Batch;
import dev.chert.batch.Layouts;
import dev.chert.query.QueryContext;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/// Sorts entries in place: by one byte of their keys after the other, most significant first, and small groups or
/// long strings by comparison.
///
/// A group first finds the first byte in which any two of its entries differ, so shared prefixes cost one pass a
/// word instead of one a byte. Groups that wait for their turn are on a stack, so the work can be left off between any
/// two of them. Not thread-safe.
final class EntrySorter {
    private static final int BY_INSERTION = 24;
    private static final int CHECK_ROWS = 1 << 16;

    /// In place of a word, for a group that only comparing can order.
    private static final int BY_COMPARISON = -1;

    private final QueryContext query;
    private final EntryOrder order;
    private final int entryBytes;
    private final int words;
    private MemorySegment entries;
    private Batch[] sources;
    private long spare;
    private int untilCheck;

    private int[] waiting = new int[3 * 256];
    private int waitingCount;

    EntrySorter(KeyLayout layout, EntryOrder order, QueryContext query) {
        this.query = query;
        this.order = order;
        this.entryBytes = layout.entryBytes();
        this.words = layout.words();
    }

    /// Begins to sort entries 0 to `count - 1`.
    ///
    /// @param entries room for one entry more, which is overwritten; nothing else may touch it until it is sorted
    /// @param sources what their places number
    void start(MemorySegment entries, int count, Batch[] sources) {
        this.entries = entries;
        this.sources = sources;
        this.spare = (long) count * entryBytes;
        this.untilCheck = CHECK_ROWS;
        this.waitingCount = 0;
        push(0, count, 0);
    }

    /// Goes on sorting.
    ///
    /// @param sliceOver asked about every millisecond whether to leave off
    /// @return          whether all is sorted
    boolean sortMore(BooleanSupplier sliceOver) {
        while (waitingCount > 0) {
            int firstWord = waiting[--waitingCount];
            int to = waiting[--waitingCount];
            int from = waiting[--waitingCount];
            if (firstWord == BY_COMPARISON) {
                sortByComparison(from, to);
            } else {
                sortGroup(from, to, firstWord);
            }
            if (untilCheck <= 0) {
                untilCheck = CHECK_ROWS;
                query.checkCancelled();
                if (sliceOver.getAsBoolean()) {
                    break;
                }
            }
        }
        return waitingCount == 0;
    }

    private void push(int from, int to, int firstWord) {
        if (to - from <= BY_INSERTION) {
            sortByInsertion(from, to);
            return;
        }
        if (waitingCount + 3 > waiting.length) {
            waiting = Arrays.copyOf(waiting, 2 * waiting.length);
        }
        waiting[waitingCount++] = from;
        waiting[waitingCount++] = to;
        waiting[waitingCount++] = firstWord;
    }

    /// @param firstWord all entries of the group agree in the words before
    private void sortGroup(int from, int to, int firstWord) {
        untilCheck -= to - from;
        for (int w = firstWord; w < words; w++) {
            long first = word(from, w);
            long differences = 0;
            for (int i = from + 1; i < to; i++) {
                differences |= word(i, w) ^ first;
            }
            if (differences != 0) {
                int leading = Long.numberOfLeadingZeros(differences) >>> 3;
                if (order.hasLongString(entries, at(from), 8 * w + leading)) {
                    sortByComparison(from, to);
                } else {
                    distribute(from, to, w, 56 - 8 * leading);
                }
                return;
            }
        }
        if (order.hasLongString(entries, at(from), Integer.MAX_VALUE)) {
            sortByComparison(from, to);
        }
    }

    /// Puts the entries into the order of one byte, then each group of equal bytes into its own.
    private void distribute(int from, int to, int w, int shift) {
        int[] ends = new int[256];
        for (int i = from; i < to; i++) {
            ends[digit(i, w, shift)]++;
            if ((i & CHECK_ROWS - 1) == 0) {
                query.checkCancelled();
            }
        }
        int[] next = new int[256];
        int at = from;
        for (int d = 0; d < 256; d++) {
            next[d] = at;
            at += ends[d];
            ends[d] = at;
        }
        for (int d = 0; d < 256; d++) {
            while (next[d] < ends[d]) {
                int home = digit(next[d], w, shift);
                if (home == d) {
                    next[d]++;
                } else {
                    swap(next[d], next[home]++);
                }
            }
            if ((d & 15) == 0) {
                query.checkCancelled();
            }
        }
        int start = from;
        for (int d = 0; d < 256; d++) {
            push(start, ends[d], w);
            start = ends[d];
        }
    }

    private void sortByInsertion(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (compare(at(i - 1), at(i)) <= 0) {
                continue;
            }
            copy(at(i), spare);
            int hole = i;
            do {
                copy(at(hole - 1), at(hole));
                hole--;
            } while (hole > from && compare(at(hole - 1), spare) > 0);
            copy(spare, at(hole));
        }
    }

    /// A step of quicksort, whose partitions stop at equal entries, so many of them do no harm.
    private void sortByComparison(int from, int to) {
        untilCheck -= to - from;
        int middle = partition(from, to);
        boolean firstIsSmaller = middle - from < to - middle;
        push(firstIsSmaller ? middle : from, firstIsSmaller ? to : middle, BY_COMPARISON); // the smaller comes first
        push(firstIsSmaller ? from : middle, firstIsSmaller ? middle : to, BY_COMPARISON);
    }

    /// @return where the second part begins: no entry before it is greater than one from there on, neither is
    ///     empty
    private int partition(int from, int to) {
        int last = to - 1;
        int middle = from + last >>> 1;
        orderPair(from, middle);
        orderPair(middle, last);
        orderPair(from, middle);
        copy(at(middle), spare);
        int i = from;
        int j = last;
        while (true) {
            while (compare(at(i), spare) < 0) {
                i++;
            }
            while (compare(at(j), spare) > 0) {
                j--;
            }
            if (i >= j) {
                return Math.max(from + 1, i);
            }
            swap(i++, j--);
        }
    }

    private void orderPair(int a, int b) {
        if (compare(at(a), at(b)) > 0) {
            swap(a, b);
        }
    }

    private int compare(long a, long b) {
        return order.compare(entries, a, sources, entries, b, sources);
    }

    private long at(int entry) {
        return (long) entry * entryBytes;
    }

    private long word(int entry, int w) {
        return entries.get(KeyLayout.WORD, at(entry) + 8L * w);
    }

    private int digit(int entry, int w, int shift) {
        return (int) (word(entry, w) >>> shift) & 0xFF;
    }

    private void copy(long from, long to) {
        for (int b = 0; b < entryBytes; b += 8) {
            entries.set(Layouts.LONG, to + b, entries.get(Layouts.LONG, from + b));
        }
    }

    private void swap(int a, int b) {
        long x = at(a);
        long y = at(b);
        for (int i = 0; i < entryBytes; i += 8) {
            long kept = entries.get(Layouts.LONG, x + i);
            entries.set(Layouts.LONG, x + i, entries.get(Layouts.LONG, y + i));
            entries.set(Layouts.LONG, y + i, kept);
        }
    }
}
