package dev.chert.planner;

import com.google.common.collect.ImmutableList;
import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/// Makes expressions, and remembers for one statement where each cast was written.
///
/// Calcite's simplifier makes casts anew without their places; one that equals a cast of the statement stands
/// where that one stands.
final class PlacedCasts extends RexBuilder {
    private final Map<RexNode, SqlParserPos> places = new HashMap<>();

    PlacedCasts(RelDataTypeFactory factory) {
        super(factory);
    }

    @Override
    public RexNode makeAbstractCast(SqlParserPos position, RelDataType type, RexNode input, boolean safe) {
        return placed(position, type, safe, ImmutableList.of(input));
    }

    @Override
    public RexNode makeAbstractCast(
            SqlParserPos position, RelDataType type, RexNode input, boolean safe, RexLiteral format) {
        return placed(
                position, type, safe, format.isNull() ? ImmutableList.of(input) : ImmutableList.of(input, format));
    }

    private RexNode placed(SqlParserPos position, RelDataType type, boolean safe, ImmutableList<RexNode> operands) {
        SqlOperator operator = safe ? SqlLibraryOperators.SAFE_CAST : SqlStdOperatorTable.CAST;
        RexNode cast = makeCall(position, type, operator, operands);
        if (position.getLineNum() > 0) {
            places.putIfAbsent(cast, position);
            return cast;
        }
        SqlParserPos known = places.get(cast);
        return known == null ? cast : makeCall(known, type, operator, operands);
    }
}
