package dev.chert.planner.types;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.BasicSqlType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/// Makes types: UTF-8 everywhere, and CHAR only by its own door.
public final class ChertTypeFactory extends SqlTypeFactoryImpl {
    public ChertTypeFactory() {
        super(ChertTypeSystem.INSTANCE);
    }

    @Override
    public Charset getDefaultCharset() {
        return StandardCharsets.UTF_8;
    }

    /// CHAR(n) with padding, as a query or a table declares it.
    public RelDataType fixedChar(int length) {
        return createTypeWithCharsetAndCollation(
                new BasicSqlType(typeSystem, SqlTypeName.CHAR, length), getDefaultCharset(), SqlCollation.IMPLICIT);
    }

    @Override
    public RelDataType createSqlType(SqlTypeName typeName) {
        return switch (typeName) {
            case CHAR -> super.createSqlType(SqlTypeName.VARCHAR);
            case BINARY -> super.createSqlType(SqlTypeName.VARBINARY);
            case FLOAT -> super.createSqlType(SqlTypeName.REAL);
            default -> super.createSqlType(typeName);
        };
    }

    /// A CHAR or BINARY of a length, which Calcite derives for literals, is as long as it needs to be. VARCHAR(n)
    /// and VARBINARY(n) lose their length as well: it is no promise that anything here keeps.
    @Override
    public RelDataType createSqlType(SqlTypeName typeName, int precision) {
        return switch (typeName) {
            case CHAR, VARCHAR -> super.createSqlType(SqlTypeName.VARCHAR, RelDataType.PRECISION_NOT_SPECIFIED);
            case BINARY, VARBINARY -> super.createSqlType(SqlTypeName.VARBINARY, RelDataType.PRECISION_NOT_SPECIFIED);
            default -> super.createSqlType(typeName, precision);
        };
    }
}
