package dev.chert.memory;

import java.util.Arrays;

/// A binary buddy allocator over numbered slabs: knows which blocks are free, and nothing of memory.
///
/// ```
/// order 11   |                1                |   one node a block; node 1 is the whole slab of 2 MiB
/// order 10   |       2        |       3        |   the halves of node n are 2n and 2n + 1,
/// order  9   |   4   |   5    |   6   |   7    |   its buddy is n ^ 1
///   ...
/// order  0   | 2048 | 2049 |    ...     | 4095 |   1 KiB each
/// ```
///
/// A slab has one bit a node, set while exactly that block is free. For each order there is a list of the slabs
/// that have a free block of it, linked through the slabs. Takes and gives are a few steps per order; a slab
/// costs about 700 bytes of heap. Not thread-safe.
final class BuddyBlocks {
    static final int MIN_BLOCK_SHIFT = 10;
    static final int SLAB_ORDER = 11;
    static final int MIN_BLOCK_BYTES = 1 << MIN_BLOCK_SHIFT;
    static final int SLAB_BYTES = MIN_BLOCK_BYTES << SLAB_ORDER;

    private static final int NONE = -1;
    private static final int ORDERS = SLAB_ORDER + 1;
    private static final int LEAVES = 1 << SLAB_ORDER;

    private static final class Slab {
        final long[] free = new long[2 * LEAVES / Long.SIZE];
        final short[] freeCount = new short[ORDERS];
        final int[] next = new int[ORDERS];
        final int[] previous = new int[ORDERS];
    }

    private Slab[] slabs = new Slab[8];
    private final int[] heads = new int[ORDERS];

    /// Bit `o` is set while the list of order `o` has a slab.
    private int ordersWithFree;

    BuddyBlocks() {
        Arrays.fill(heads, NONE);
    }

    /// The order of the smallest block that holds a number of bytes, at most [#SLAB_BYTES].
    static int order(long bytes) {
        return bytes <= MIN_BLOCK_BYTES ? 0 : Long.SIZE - Long.numberOfLeadingZeros(bytes - 1) - MIN_BLOCK_SHIFT;
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

    /// Adds a slab and takes a block of it.
    /// @return the block's [#place]
    long addSlab(int number, int order) {
        if (number >= slabs.length) {
            slabs = Arrays.copyOf(slabs, Math.max(number + 1, 2 * slabs.length));
        }
        assert slabs[number] == null : "slab " + number + " is there already";
        slabs[number] = new Slab();
        return split(number, SLAB_ORDER, 1, order);
    }

    /// Takes a wholly free slab out.
    /// @return its number, or -1 if every slab has a block in use
    int removeIdleSlab() {
        int number = heads[SLAB_ORDER];
        if (number != NONE) {
            clearFree(number, SLAB_ORDER, 1);
            slabs[number] = null;
        }
        return number;
    }

    /// Takes a block: the smallest that suffices, so that whole slabs are broken up last.
    /// @return its [#place], or -1 if no slab has one
    long take(int order) {
        int candidates = ordersWithFree >>> order;
        if (candidates == 0) {
            return NONE;
        }
        int found = order + Integer.numberOfTrailingZeros(candidates);
        int number = heads[found];
        int node = firstFree(slabs[number], found);
        clearFree(number, found, node);
        return split(number, found, node, order);
    }

    /// Takes the first block of an order out of a larger one that is in no list; the rest becomes free.
    private long split(int number, int outerOrder, int outerNode, int order) {
        int node = outerNode;
        for (int halves = outerOrder - 1; halves >= order; halves--) {
            node <<= 1;
            setFree(number, halves, node + 1);
        }
        int index = node - (LEAVES >> order);
        return place(number, index << order + MIN_BLOCK_SHIFT);
    }

    /// Gives back a block of an order that [#take] gave out, and joins it with its buddies while they are free.
    void give(long place, int order) {
        int number = slab(place);
        Slab slab = slabs[number];
        int node = (LEAVES >> order) + (offset(place) >> order + MIN_BLOCK_SHIFT);
        assert isTaken(slab, node) : "slab " + number + ", offset " + offset(place) + " is free already";
        int joined = order;
        while (node > 1 && isFree(slab, node ^ 1)) {
            clearFree(number, joined, node ^ 1);
            node >>= 1;
            joined++;
        }
        setFree(number, joined, node);
    }

    private void setFree(int number, int order, int node) {
        Slab slab = slabs[number];
        slab.free[node >> 6] |= 1L << node;
        if (slab.freeCount[order]++ == 0) {
            int head = heads[order];
            slab.next[order] = head;
            slab.previous[order] = NONE;
            if (head != NONE) {
                slabs[head].previous[order] = number;
            }
            heads[order] = number;
            ordersWithFree |= 1 << order;
        }
    }

    private void clearFree(int number, int order, int node) {
        Slab slab = slabs[number];
        slab.free[node >> 6] &= ~(1L << node);
        if (--slab.freeCount[order] == 0) {
            int next = slab.next[order];
            int previous = slab.previous[order];
            if (next != NONE) {
                slabs[next].previous[order] = previous;
            }
            if (previous != NONE) {
                slabs[previous].next[order] = next;
            } else {
                heads[order] = next;
                if (next == NONE) {
                    ordersWithFree &= ~(1 << order);
                }
            }
        }
    }

    /// The first free node of an order, which has one: its nodes are `first` to `2 * first - 1`.
    private static int firstFree(Slab slab, int order) {
        int first = LEAVES >> order;
        if (first < Long.SIZE) {
            return Long.numberOfTrailingZeros(slab.free[0] & -1L << first);
        }
        int word = first >> 6;
        while (slab.free[word] == 0) {
            word++;
        }
        return (word << 6) + Long.numberOfTrailingZeros(slab.free[word]);
    }

    private static boolean isFree(Slab slab, int node) {
        return (slab.free[node >> 6] & 1L << node) != 0;
    }

    /// Whether neither a node nor a block around it is free.
    private static boolean isTaken(Slab slab, int node) {
        for (int around = node; around >= 1; around >>= 1) {
            if (isFree(slab, around)) {
                return false;
            }
        }
        return true;
    }
}
