package dev.chert.planner.parse;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/// Carries a [Statement] out of the generated parser, whose productions give Calcite's nodes.
public final class StatementNode extends SqlCall {
    private static final SqlOperator OPERATOR = new SqlSpecialOperator("STATEMENT", SqlKind.OTHER_DDL);

    private final Statement statement;

    public StatementNode(Statement statement, SqlParserPos position) {
        super(position);
        this.statement = statement;
    }

    Statement statement() {
        return statement;
    }

    @Override
    public SqlOperator getOperator() {
        return OPERATOR;
    }

    @Override
    public List<SqlNode> getOperandList() {
        return List.of();
    }
}
