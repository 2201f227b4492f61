package dev.chert.batch;

import java.util.concurrent.ConcurrentLinkedQueue;

/// Lends `int` arrays for selection vectors and takes them back; shared by the workers of a query.
public final class SelectionPool {
    private final int rows;
    private final ConcurrentLinkedQueue<int[]> idle = new ConcurrentLinkedQueue<>();

    /// @param rows the length of every array lent: the most rows a batch of this query has
    public SelectionPool(int rows) {
        this.rows = rows;
    }

    /// Returns an array of at least as many entries as a batch has rows, with undefined contents; the caller's
    /// until it is given back.
    public int[] take(int wanted) {
        if (wanted > rows) {
            return new int[wanted];
        }
        int[] selection = idle.poll();
        return selection != null ? selection : new int[rows];
    }

    /// Takes back an array that nobody reads any more.
    public void give(int[] selection) {
        if (selection.length == rows) {
            idle.add(selection);
        }
    }
}
