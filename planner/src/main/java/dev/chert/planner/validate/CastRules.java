package dev.chert.planner.validate;

import com.google.common.collect.ImmutableSet;
import java.util.EnumMap;
import java.util.Map;
import org.apache.calcite.sql.type.SqlTypeCoercionRule;
import org.apache.calcite.sql.type.SqlTypeMappingRule;
import org.apache.calcite.sql.type.SqlTypeName;

/// Which types CAST takes to which: all that either of Calcite's two lists allows, since the lenient one, which casts
/// BOOLEAN to numbers, leaves intervals out.
final class CastRules {
    static final SqlTypeMappingRule RULE = SqlTypeCoercionRule.instance(union());

    private CastRules() {}

    private static Map<SqlTypeName, ImmutableSet<SqlTypeName>> union() {
        Map<SqlTypeName, ImmutableSet<SqlTypeName>> union = new EnumMap<>(SqlTypeName.class);
        union.putAll(SqlTypeCoercionRule.instance().getTypeMapping());
        SqlTypeCoercionRule.lenientInstance()
                .getTypeMapping()
                .forEach((to, from) -> union.merge(to, from, CastRules::both));
        return union;
    }

    private static ImmutableSet<SqlTypeName> both(ImmutableSet<SqlTypeName> a, ImmutableSet<SqlTypeName> b) {
        return ImmutableSet.<SqlTypeName>builder().addAll(a).addAll(b).build();
    }
}
