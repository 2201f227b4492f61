package dev.chert.planner.validate;

import dev.chert.planner.types.ChertTypeFactory;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/// Finds tables, columns and the names of types for Calcite's validator.
final class ReaderOfCatalog extends CalciteCatalogReader {
    ReaderOfCatalog(CatalogSchema schema, ChertTypeFactory factory) {
        super(
                CalciteSchema.createRootSchema(false, false, "", schema),
                new NameMatcher(),
                List.of(List.of()),
                factory,
                new CalciteConnectionConfigImpl(new Properties()));
    }

    @Override
    public RelDataType getNamedType(SqlIdentifier name) {
        if (!name.isSimple()) {
            return null;
        }
        SqlTypeName type = switch (name.getSimple().toUpperCase(Locale.ROOT)) {
            case "TEXT", "STRING", "BPCHAR" -> SqlTypeName.VARCHAR;
            case "BOOL", "LOGICAL" -> SqlTypeName.BOOLEAN;
            case "INT1" -> SqlTypeName.TINYINT;
            case "INT2", "SHORT" -> SqlTypeName.SMALLINT;
            case "INT4", "SIGNED" -> SqlTypeName.INTEGER;
            case "INT8", "LONG" -> SqlTypeName.BIGINT;
            case "FLOAT4" -> SqlTypeName.REAL;
            case "FLOAT8" -> SqlTypeName.DOUBLE;
            case "BLOB", "BYTES", "BYTEA" -> SqlTypeName.VARBINARY;
            case "DATETIME" -> SqlTypeName.TIMESTAMP;
            case "TIMESTAMPTZ", "TIMESTAMP_LTZ" -> SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
            default -> null;
        };
        return type == null ? null : typeFactory.createSqlType(type);
    }

    /// Functions come from [Operators] only.
    @Override
    public void lookupOperatorOverloads(
            SqlIdentifier name,
            SqlFunctionCategory category,
            SqlSyntax syntax,
            List<SqlOperator> operators,
            SqlNameMatcher matcher) {}
}
