package dev.chert.planner.parse;

import dev.chert.error.TableException;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/// Refuses by name, at its place, what can be written in a query and is not there.
public final class Features extends SqlBasicVisitor<Void> {
    private static final String JOIN_INSTEAD = "; join the table or the sub-query instead";
    private static final String GROUP_INSTEAD = "; a sub-query with GROUP BY that is joined to the rows may do instead";
    private static final String CASE_INSTEAD = "; aggregates with FILTER (WHERE ...) give one column a value instead";

    /// @throws TableException naming the first feature that is not there
    public static void demandKnown(SqlNode query) {
        query.accept(new Features());
    }

    @Override
    public Void visit(SqlCall call) {
        switch (call.getKind()) {
            case OVER -> throw refused("the window function " + name(call.operand(0)), GROUP_INSTEAD, call);
            case PIVOT -> throw refused("PIVOT", CASE_INSTEAD, call);
            case UNPIVOT -> throw refused("UNPIVOT", "; UNION ALL of one query a column gives the same rows", call);
            case MATCH_RECOGNIZE -> throw refused("MATCH_RECOGNIZE", "", call);
            case LATERAL -> throw refused("LATERAL", JOIN_INSTEAD, call);
            case UNNEST -> throw refused("UNNEST", "; VALUES gives a table of constants", call);
            case COLLECTION_TABLE -> throw refused("a table function", JOIN_INSTEAD, call);
            case TABLESAMPLE -> throw refused("TABLESAMPLE", "; LIMIT gives some rows", call);
            case SNAPSHOT -> throw refused("FOR SYSTEM_TIME AS OF", "", call);
            case WITHIN_GROUP -> throw refused("WITHIN GROUP", "", call);
            case WITHIN_DISTINCT -> throw refused("WITHIN DISTINCT", "", call);
            case RESPECT_NULLS, IGNORE_NULLS -> throw refused("RESPECT NULLS and IGNORE NULLS", "", call);
            case NEXT_VALUE, CURRENT_VALUE -> throw refused("a sequence", "", call);
            case CURSOR -> throw refused("CURSOR", "", call);
            case JOIN -> demandOneMerge((SqlJoin) call);
            case INTERSECT -> demandDistinct(call, "INTERSECT ALL", "; INTERSECT gives each common row once");
            case EXCEPT -> demandDistinct(call, "EXCEPT ALL", "; EXCEPT gives each remaining row once");
            default -> {}
        }
        if (call instanceof SqlSelect select) {
            if (select.getQualify() != null) {
                throw refused("QUALIFY", "; a WHERE around the query filters what it gives", select.getQualify());
            }
            if (!select.getWindowList().isEmpty()) {
                throw refused("WINDOW", GROUP_INSTEAD, select.getWindowList());
            }
        }
        if (call instanceof SqlWithItem item && item.recursive.booleanValue()) {
            throw refused("WITH RECURSIVE", "", item.name);
        }
        return super.visit(call);
    }

    /// A column that several joins merge has to be the first of all its sources that is not NULL. Calcite leaves
    /// out the source of the last join, which only matters where that join adds rows of its own.
    private static void demandOneMerge(SqlJoin join) {
        boolean addsRows = join.getJoinType() == JoinType.FULL || join.getJoinType() == JoinType.RIGHT;
        if (addsRows && merges(join) && join.getLeft() instanceof SqlJoin left && merges(left)) {
            throw refused(
                    "a " + join.getJoinType() + " JOIN that merges a column which a join before it has merged",
                    "; name the columns in ON and merge them with COALESCE",
                    join);
        }
    }

    private static boolean merges(SqlJoin join) {
        return join.isNatural() || join.getConditionType() == JoinConditionType.USING;
    }

    private static void demandDistinct(SqlCall call, String what, String help) {
        if (call.getOperator() instanceof SqlSetOperator operation && operation.isAll()) {
            throw refused(what, help, call);
        }
    }

    private static String name(SqlNode function) {
        return function instanceof SqlCall call
                ? call.getOperator().getName()
                : function instanceof SqlIdentifier name ? name.toString() : function.toString();
    }

    private static TableException refused(String what, String help, SqlNode at) {
        return new TableException(what + " is not supported" + help, ParseErrors.position(at.getParserPosition()));
    }
}
