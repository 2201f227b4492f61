package dev.chert.planner.validate;

import dev.chert.error.ChertException;
import dev.chert.planner.catalog.Catalog;
import dev.chert.planner.catalog.FileTables;
import dev.chert.planner.parse.ParseErrors;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/// Opens the files that a query names in FROM, so that what is wrong with one is said where its name stands.
///
/// A file without an alias is known by its base name without ending: `FROM 'data/orders.parquet'` reads
/// `orders.o_orderkey`.
final class FilesInFrom extends SqlBasicVisitor<Void> {
    private final Catalog catalog;
    private final CatalogSchema schema;

    FilesInFrom(Catalog catalog, CatalogSchema schema) {
        this.catalog = catalog;
        this.schema = schema;
    }

    /// Changes the query: files get their aliases.
    void open(SqlNode query) {
        query.accept(this);
    }

    @Override
    public Void visit(SqlCall call) {
        if (call instanceof SqlSelect select && select.getFrom() != null) {
            select.setFrom(opened(select.getFrom()));
        } else if (call instanceof SqlJoin join) {
            join.setLeft(opened(join.getLeft()));
            join.setRight(opened(join.getRight()));
        } else if (call.getKind() == SqlKind.AS && call.operand(0) instanceof SqlIdentifier name) {
            open(name);
        }
        return super.visit(call);
    }

    private SqlNode opened(SqlNode from) {
        if (!(from instanceof SqlIdentifier name) || !open(name)) {
            return from;
        }
        String alias = baseName(name.getSimple());
        SqlParserPos place = name.getParserPosition();
        return alias.isEmpty()
                ? from
                : SqlStdOperatorTable.AS.createCall(place, List.of(name, new SqlIdentifier(alias, place)));
    }

    /// False where the name is none of a file.
    private boolean open(SqlIdentifier name) {
        if (!name.isSimple()
                || !FileTables.looksLikePath(name.getSimple())
                || catalog.find(name.getSimple()).isPresent()) {
            return false;
        }
        try {
            return schema.tables().get(name.getSimple()) != null;
        } catch (ChertException e) {
            throw e.withPosition(ParseErrors.position(name.getParserPosition()));
        }
    }

    /// Empty where the path is a pattern.
    private static String baseName(String path) {
        String trimmed = path.replaceAll("[/\\\\]+$", "");
        String last = trimmed.substring(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf('\\')) + 1);
        if (last.indexOf('*') >= 0 || last.indexOf('?') >= 0 || last.indexOf('[') >= 0) {
            return "";
        }
        int ending = last.lastIndexOf('.');
        return ending > 0 ? last.substring(0, ending) : last;
    }
}
