package dev.chert.planner.parse;

import dev.chert.error.TableException;
import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/// A statement as it was written, names not yet resolved.
public sealed interface Statement {
    /// A SELECT, VALUES, WITH, TABLE or a set operation of them.
    record Query(SqlNode query) implements Statement {}

    /// Shows the plan of a query or an INSERT; runs it first where `analyze`.
    record Explain(SqlNode explained, boolean analyze) implements Statement {}

    /// Shows the columns of a table (an identifier) or of a query.
    record Describe(SqlNode what) implements Statement {}

    record ShowTables() implements Statement {}

    record SetOption(String key, String value) implements Statement {}

    record ResetOption(String key) implements Statement {}

    /// @param columns none where the query gives them
    /// @param query   fills the table; null where it begins empty
    record CreateTable(
            SqlIdentifier name, boolean replace, boolean ifNotExists, List<ColumnDefinition> columns, SqlNode query)
            implements Statement {
        public CreateTable {
            columns = List.copyOf(columns);
        }
    }

    /// @param type         null where the query gives it
    /// @param defaultValue null where there is none
    record ColumnDefinition(SqlIdentifier name, SqlDataTypeSpec type, boolean nullable, SqlNode defaultValue) {}

    record Insert(SqlInsert insert) implements Statement {}

    record DropTable(SqlIdentifier name, boolean ifExists) implements Statement {}

    /// @param columns     none where the query names them
    /// @param queryLine   line where the query begins
    /// @param queryColumn column where the query begins
    record CreateView(
            SqlIdentifier name,
            boolean replace,
            boolean ifNotExists,
            SqlNodeList columns,
            SqlNode query,
            int queryLine,
            int queryColumn)
            implements Statement {}

    record DropView(SqlIdentifier name, boolean ifExists) implements Statement {}

    /// A statement that SQL has and Chert has not.
    record Unsupported(String what, SqlParserPos place) implements Statement {}

    /// The error for a part of a statement that Chert does not have.
    static TableException refused(String what, SqlParserPos place) {
        return new TableException(what + " is not supported", ParseErrors.position(place));
    }

    /// The error for a key that nothing would check.
    static TableException notEnforced(SqlIdentifier key) {
        return new TableException(
                "a " + key + " that is enforced is not supported; write " + key
                        + " NOT ENFORCED to state it as information",
                ParseErrors.position(key.getParserPosition()));
    }
}
