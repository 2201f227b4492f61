package dev.chert.planner.types;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Litmus;

/// CHAR(n) as a query writes it: the only way to a type that pads.
public final class FixedCharSpec extends SqlTypeNameSpec {
    private final int length;

    public FixedCharSpec(int length, SqlParserPos position) {
        super(new SqlIdentifier("CHAR", position), position);
        this.length = length;
    }

    @Override
    public RelDataType deriveType(SqlValidator validator) {
        return ((ChertTypeFactory) validator.getTypeFactory()).fixedChar(length);
    }

    @Override
    public void unparse(SqlWriter writer, int leftPrecedence, int rightPrecedence) {
        writer.keyword("CHAR(" + length + ")");
    }

    @Override
    public boolean equalsDeep(SqlTypeNameSpec spec, Litmus litmus) {
        return spec instanceof FixedCharSpec other && other.length == length || litmus.fail("not equal");
    }
}
