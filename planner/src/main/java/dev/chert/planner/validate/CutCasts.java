package dev.chert.planner.validate;

import dev.chert.error.TableException;
import dev.chert.planner.parse.ParseErrors;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/// Calcite's way from calls to algebra, but that a cast to VARCHAR(n) or VARBINARY(n) is followed by a cut.
///
/// The types have no length here, so it is the cast that has to keep its promise, where it stands.
final class CutCasts implements SqlRexConvertletTable {
    static final SqlRexConvertletTable INSTANCE = new CutCasts();

    private CutCasts() {}

    @Override
    public SqlRexConvertlet get(SqlCall call) {
        SqlRexConvertlet standard = StandardConvertletTable.INSTANCE.get(call);
        if (call.getKind() != SqlKind.CAST && call.getKind() != SqlKind.SAFE_CAST) {
            return standard;
        }
        if (call.operandCount() > 2) {
            throw new TableException(
                    "CAST with FORMAT is not supported", ParseErrors.position(call.getParserPosition()));
        }
        if (!(call.operand(1) instanceof SqlDataTypeSpec type)
                || !(type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec named)
                || named.getPrecision() < 0) {
            return standard;
        }
        SqlTypeName name = SqlTypeName.get(named.getTypeName().getSimple());
        if (name == SqlTypeName.VARCHAR) {
            return (context, cast) -> {
                RexNode whole = standard.convertCall(context, cast);
                return cut(context.getRexBuilder(), whole, Operators.named("left"), named.getPrecision());
            };
        }
        if (name == SqlTypeName.VARBINARY || name == SqlTypeName.BINARY) {
            return (context, cast) -> {
                RexNode whole = standard.convertCall(context, cast);
                return cut(context.getRexBuilder(), whole, SqlStdOperatorTable.SUBSTRING, 1, named.getPrecision());
            };
        }
        return standard;
    }

    private static RexNode cut(RexBuilder rex, RexNode whole, SqlOperator operator, int... arguments) {
        List<RexNode> operands = new ArrayList<>();
        operands.add(whole);
        for (int argument : arguments) {
            operands.add(rex.makeExactLiteral(BigDecimal.valueOf(argument)));
        }
        return rex.makeCall(whole.getType(), operator, operands);
    }
}
