package dev.chert.memory;

import java.util.Arrays;

/// Carves numbered slabs of 2 MiB into blocks: knows which KiB are free, and nothing of memory.
///
/// ```
/// slab 3   |##.......####...#|   a bit a KiB; largest free run: 7
/// ```
///
/// A block is any run of KiB whose length is one of four sizes a doubling (..., 8, 10, 12, 14, 16, 20, ...). Slabs
/// stand in sets by the size of their largest free run. A block is taken from the slab whose largest run is the
/// smallest that suffices, among such slabs the one with the lowest number, and there from the shortest run that
/// suffices: so blocks gather in few slabs, and others become wholly free. A block that comes back joins the free runs
/// beside it.
///
/// A slab costs about 300 bytes of heap; a take looks at up to 32 words of it, a give at a few. Not thread-safe.
final class SlabBlocks {
    static final int UNIT_SHIFT = 10;
    static final int MIN_BLOCK_BYTES = 1 << UNIT_SHIFT;
    static final int SLAB_UNITS = 2048;
    static final int SLAB_BYTES = SLAB_UNITS << UNIT_SHIFT;

    private static final int NONE = -1;
    private static final int WORDS = SLAB_UNITS / Long.SIZE;
    private static final int WHOLE = sizeClass(SLAB_UNITS);

    private static final class Slab {
        final long[] free = new long[WORDS];
        int largest;
    }

    private Slab[] slabs = new Slab[8];

    /// By size class of the largest free run; slabs without one are nowhere.
    private final NumberSet[] byLargest = new NumberSet[WHOLE + 1];

    /// Bit `c` is set while `byLargest[c]` has a slab.
    private long classesWithSlabs;

    SlabBlocks() {
        Arrays.setAll(byLargest, _ -> new NumberSet());
    }

    static long place(int slab, int offset) {
        return (long) slab << Integer.SIZE | offset;
    }

    static int slab(long place) {
        return (int) (place >>> Integer.SIZE);
    }

    static int offset(long place) {
        return (int) place;
    }

    /// The number of the largest block size that is not longer than a run: 1, 2, 3, ... for 1, 2, 3, 4, 5, 6, 7, 8, 10,
    /// 12, 14, 16, 20 KiB.
    private static int sizeClass(int units) {
        int shift = Math.max(0, Integer.SIZE - 3 - Integer.numberOfLeadingZeros(units));
        return 4 * shift + (units >> shift);
    }

    /// Adds a slab and takes a block of it.
    /// @param bytes as of [#take]
    /// @return      the block's [#place]
    long addSlab(int number, long bytes) {
        if (number >= slabs.length) {
            slabs = Arrays.copyOf(slabs, Math.max(number + 1, 2 * slabs.length));
        }
        assert slabs[number] == null : "slab " + number + " is there already";
        Slab slab = new Slab();
        slabs[number] = slab;
        fill(slab.free, 0, SLAB_UNITS, true);
        setLargest(number, slab, SLAB_UNITS);
        return takeFrom(number, (int) (bytes >> UNIT_SHIFT));
    }

    /// Takes a wholly free slab out.
    /// @return its number, or -1 if every slab has a block in use
    int removeIdleSlab() {
        if (byLargest[WHOLE].isEmpty()) {
            return NONE;
        }
        int number = byLargest[WHOLE].lowest();
        setLargest(number, slabs[number], 0);
        slabs[number] = null;
        return number;
    }

    /// Takes a block.
    /// @param bytes a size that [Slabs#blockBytes] gave, at most [#SLAB_BYTES]
    /// @return      its [#place], or -1 if no slab has one
    long take(long bytes) {
        int units = (int) (bytes >> UNIT_SHIFT);
        int sizeClass = sizeClass(units);
        long candidates = classesWithSlabs >>> sizeClass;
        if (candidates == 0) {
            return NONE;
        }
        return takeFrom(byLargest[sizeClass + Long.numberOfTrailingZeros(candidates)].lowest(), units);
    }

    /// Takes a block from the shortest run of a slab that suffices; there is one.
    private long takeFrom(int number, int units) {
        Slab slab = slabs[number];
        int best = 0;
        int bestLength = Integer.MAX_VALUE;
        int largest = 0; // of the runs, if all are looked at
        int second = 0;
        int start = next(slab.free, 0, true);
        while (start < SLAB_UNITS && (bestLength > units || bestLength == slab.largest)) {
            int end = next(slab.free, start, false);
            int length = end - start;
            if (length >= units && length < bestLength) {
                best = start;
                bestLength = length;
            }
            second = Math.max(second, Math.min(largest, length));
            largest = Math.max(largest, length);
            start = next(slab.free, end, true);
        }
        fill(slab.free, best, best + units, false);
        if (bestLength == slab.largest) {
            setLargest(number, slab, Math.max(second, bestLength - units));
        }
        return place(number, best << UNIT_SHIFT);
    }

    /// Gives back a block that [#take] gave out for as many bytes.
    void give(long place, long bytes) {
        int number = slab(place);
        Slab slab = slabs[number];
        int start = offset(place) >> UNIT_SHIFT;
        int end = start + (int) (bytes >> UNIT_SHIFT);
        assert next(slab.free, start, true) >= end
                : "slab " + number + ", offset " + offset(place) + " is free already";
        fill(slab.free, start, end, true);
        int length = next(slab.free, end, false) - previousTaken(slab.free, start) - 1;
        if (length > slab.largest) {
            setLargest(number, slab, length);
        }
    }

    private void setLargest(int number, Slab slab, int units) {
        if (slab.largest > 0) {
            int before = sizeClass(slab.largest);
            byLargest[before].remove(number);
            if (byLargest[before].isEmpty()) {
                classesWithSlabs &= ~(1L << before);
            }
        }
        slab.largest = units;
        if (units > 0) {
            int after = sizeClass(units);
            byLargest[after].add(number);
            classesWithSlabs |= 1L << after;
        }
    }

    /// The first free or taken unit from `from` on; [#SLAB_UNITS] if there is none.
    private static int next(long[] free, int from, boolean wanted) {
        long flip = wanted ? 0 : -1L;
        int word = from >> 6;
        if (word == WORDS) {
            return SLAB_UNITS;
        }
        long bits = (free[word] ^ flip) & -1L << from;
        while (bits == 0) {
            word++;
            if (word == WORDS) {
                return SLAB_UNITS;
            }
            bits = free[word] ^ flip;
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }

    /// The last taken unit before `from`; -1 if there is none.
    private static int previousTaken(long[] free, int from) {
        int word = from >> 6;
        long bits = ~free[word] & (1L << from) - 1;
        while (bits == 0) {
            word--;
            if (word < 0) {
                return -1;
            }
            bits = ~free[word];
        }
        return (word << 6) + Long.SIZE - 1 - Long.numberOfLeadingZeros(bits);
    }

    /// Marks the units from `start` to before `end`, of which there are some.
    private static void fill(long[] free, int start, int end, boolean value) {
        int last = end - 1 >> 6;
        for (int word = start >> 6; word <= last; word++) {
            long mask = word == start >> 6 ? -1L << start : -1L;
            if (word == last) {
                mask &= -1L >>> -end;
            }
            free[word] = value ? free[word] | mask : free[word] & ~mask;
        }
    }
}
