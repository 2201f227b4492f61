package dev.chert.operator.table;

/// Stored rows, one after the other, wherever they lie.
public interface RowSource {
    /// Reads the places of the next rows.
    ///
    /// @param places receives up to `most` places, valid until the next call at least
    /// @return       how many; 0 at the end
    int next(long[] places, int most);
}
