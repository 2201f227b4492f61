package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.PackedColumn;
import dev.chert.batch.RowString;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// An aggregate function, bound to the types of its arguments: a state of fixed width in a group's row, and how
/// it takes values, takes in another state, and gives its result.
///
/// Zeroed memory is the state of a group without rows. Stateless, shared by all workers; each call works on many
/// rows, so that no call is made a row. States lie in rows known by their [dev.chert.batch.RowPlace]: `offset` is
/// where the state begins in each row.
public abstract class AggregateFunction {
    private final DataType resultType;
    private final int stateBytes;

    AggregateFunction(DataType resultType, int stateBytes) {
        assert stateBytes % 8 == 0;
        this.resultType = resultType;
        this.stateBytes = stateBytes;
    }

    public final DataType resultType() {
        return resultType;
    }

    /// Bytes of a state, a multiple of 8.
    public final int stateBytes() {
        return stateBytes;
    }

    /// Whether rows whose argument is NULL count, too; other functions are never shown one.
    public boolean seesNulls() {
        return false;
    }

    /// Whether values are looked at, and not only how many there are.
    public boolean readsValues() {
        return true;
    }

    /// What the state is, apart from what is made of it in the end: two functions over the same rows and argument
    /// whose kinds are equal may share one state, which either of them updates.
    public Object stateKind() {
        return this;
    }

    /// The string that a state keeps, for whoever copies the group's row or writes it to disk; null where it keeps
    /// none.
    ///
    /// @param offset where the state begins in the row
    public RowString string(int offset) {
        return null;
    }

    /// Takes values into states.
    ///
    /// @param argument value `i` at `i`; without NULLs unless [#seesNulls()]; null for COUNT(*). The last of
    ///                 several
    /// @param count    how many values
    /// @param places   the group's row of value `i` at `i`
    /// @param memory   where the rows and their strings lie
    public abstract void update(PackedColumn argument, int count, long[] places, int offset, StateMemory memory);

    /// Takes states in into other ones; of rows of the same table, of another worker's, or read from disk. Strings
    /// are copied.
    ///
    /// @param from   `count` rows whose states are not used any more
    /// @param into   the row that takes in `from[i]` at `i`; the same row may come more than once
    /// @param memory where the rows of `into` and their strings lie
    public abstract void merge(long[] from, long[] into, int count, int offset, StateMemory memory);

    /// Makes the results.
    ///
    /// @param places       groups
    /// @param first        the first of `places` that is wanted
    /// @param stringOwners what keeps the states' long strings alive, borrowed by a column of strings
    /// @return             the caller's, `count` rows
    public abstract Column finish(
            long[] places,
            int first,
            int count,
            int offset,
            MemorySegment[] slabs,
            Allocator allocator,
            Counted... stringOwners);
}
