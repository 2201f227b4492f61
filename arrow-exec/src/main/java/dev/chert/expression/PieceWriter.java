package dev.chert.expression;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.DataType;
import dev.chert.batch.Physical;
import dev.chert.batch.TypeKind;
import dev.chert.kernel.ColumnGather;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import java.util.ArrayList;
import java.util.List;

/// Puts a column together from pieces: each a column of which some rows count.
///
/// The physical form is known when all pieces are there, since decimals may be narrow in one and wide in another.
/// One piece alone is the result itself.
final class PieceWriter {
    private record Piece(Column column, int[] rows, int count) {}

    private final DataType type;
    private final QueryContext query;
    private final List<Piece> pieces = new ArrayList<>();

    PieceWriter(DataType type, QueryContext query) {
        this.type = type;
        this.query = query;
    }

    /// @param column given
    /// @param rows   copied
    void add(Column column, int[] rows, int count) {
        int[] copy = query.selections().take(count);
        System.arraycopy(rows, 0, copy, 0, count);
        pieces.add(new Piece(column, copy, count));
    }

    /// Returns the whole column, the caller's. Rows of no piece are undefined.
    Column finish(int rowCount, Allocator allocator) {
        if (pieces.size() == 1 && pieces.getFirst().column().type().equals(type)) {
            Piece only = pieces.getFirst();
            query.selections().give(only.rows());
            return only.column();
        }
        Physical physical = type.physical();
        if (type.kind() == TypeKind.DECIMAL) {
            boolean wide = pieces.stream()
                    .anyMatch(piece -> piece.column().physical() == Physical.INT128
                            && !(piece.column().isConstant() && piece.column().isNull(0)));
            physical = wide ? Physical.INT128 : Physical.INT64;
        }
        ColumnWriter out = new ColumnWriter(type, physical, rowCount, allocator);
        for (Piece piece : pieces) {
            ColumnGather.copy(piece.column(), piece.rows(), piece.count(), out);
            piece.column().release();
            query.selections().give(piece.rows());
        }
        return out.seal(rowCount);
    }
}
