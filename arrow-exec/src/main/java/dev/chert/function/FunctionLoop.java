package dev.chert.function;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;

/// The loops of one method over columns, generated; see [ScalarFunction].
///
/// Columns are flat or constant, of the physical form of the method's parameters, and have no NULL in the wanted
/// rows but where a parameter is boxed. A method's exception leaves the loop.
public interface FunctionLoop {
    /// Computes rows.
    ///
    /// @param selection the wanted rows, or null for rows 0 to `count - 1`
    /// @param out       its capacity exceeds every wanted row
    void apply(Column[] in, int[] selection, int count, ColumnWriter out, CallContext context);

    /// Keeps the rows for which a predicate is true.
    ///
    /// @param selection the rows to test, or null for rows 0 to `count - 1`
    /// @param kept      room for `count` rows; may be `selection` itself
    /// @return          how many were kept
    default int select(Column[] in, int[] selection, int count, int[] kept, CallContext context) {
        throw new UnsupportedOperationException("not a predicate");
    }

    /// Says which columns are constant: bit `i` for column `i`.
    static int shape(Column[] in) {
        int shape = 0;
        for (int i = 0; i < in.length; i++) {
            shape |= (in[i].isConstant() ? 1 : 0) << i;
        }
        return shape;
    }
}
