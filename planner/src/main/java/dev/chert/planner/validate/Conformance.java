package dev.chert.planner.validate;

import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/// Which variants of SQL are understood: those that DuckDB, PostgreSQL and SQLite share.
public final class Conformance extends SqlDelegatingConformance {
    public static final SqlConformance INSTANCE = new Conformance();

    private Conformance() {
        super(SqlConformanceEnum.BABEL);
    }

    /// A column of the input comes before an output column of the same name.
    @Override
    public boolean isSortByAliasObscures() {
        return false;
    }

    /// A select item may use the aliases to its left.
    @Override
    public SelectAliasLookup isSelectAlias() {
        return SelectAliasLookup.LEFT_TO_RIGHT;
    }

    /// BOOLEAN casts to numbers and back; what needs no CAST is the affair of [Coercion].
    @Override
    public boolean allowLenientCoercion() {
        return true;
    }

    @Override
    public boolean checkedArithmetic() {
        return false;
    }

    @Override
    public boolean isNonStrictGroupBy() {
        return false;
    }
}
