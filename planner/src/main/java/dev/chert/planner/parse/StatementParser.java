package dev.chert.planner.parse;

import dev.chert.error.ChertException;
import dev.chert.error.ValidationException;
import dev.chert.planner.parse.generated.GeneratedSqlParser;
import java.io.StringReader;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl.LexicalState;
import org.apache.calcite.sql.validate.SqlConformance;

/// Parses one statement.
public final class StatementParser {
    private static final int MAX_NAME_LENGTH = 1024;

    private final SqlConformance conformance;

    /// @param conformance which variants of the syntax are allowed
    public StatementParser(SqlConformance conformance) {
        this.conformance = conformance;
    }

    /// @throws ValidationException with the place and what was expected there
    public Statement parse(SqlText sql) {
        SqlNode node = node(sql);
        return switch (node) {
            case StatementNode statement -> statement.statement();
            case SqlInsert insert -> new Statement.Insert(insert);
            default -> new Statement.Query(node);
        };
    }

    /// The text of a view's query, to be parsed again where the view is used.
    public static SqlText queryText(SqlText statement, Statement.CreateView view) {
        return new SqlText(statement.from(view.queryLine(), view.queryColumn()), view.queryLine(), view.queryColumn());
    }

    private SqlNode node(SqlText sql) {
        GeneratedSqlParser parser = new GeneratedSqlParser(new StringReader(sql.text()));
        parser.startAt(sql.line(), sql.column(), sql.text());
        parser.switchTo(LexicalState.DQID);
        parser.setTabSize(1);
        parser.setQuotedCasing(Casing.UNCHANGED);
        parser.setUnquotedCasing(Casing.UNCHANGED);
        parser.setIdentifierMaxLength(MAX_NAME_LENGTH);
        parser.setConformance(conformance);
        try {
            return parser.parseSqlStmtEof();
        } catch (ChertException e) {
            throw e;
        } catch (Throwable e) { // the lexer throws an Error
            throw ParseErrors.of(e, sql);
        }
    }
}
