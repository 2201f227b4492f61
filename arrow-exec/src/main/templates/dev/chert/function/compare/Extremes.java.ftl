package dev.chert.function.compare;

import dev.chert.batch.StringView;
import dev.chert.function.ScalarFunction;
import dev.chert.function.StringWriter;
import dev.chert.kernel.Int128;

/// GREATEST and LEAST of two values, in the order of the comparisons; more are taken pair by pair.
final class Extremes {
    private Extremes() {}
<#list [{"name": "greatest", "sign": ">=", "math": "max", "method": "greaterOrEqual"},
        {"name": "least", "sign": "<=", "math": "min", "method": "lessOrEqual"}] as f>
<#list [{"type": "byte", "kinds": ["TINYINT"]}, {"type": "short", "kinds": ["SMALLINT"]},
        {"type": "int", "kinds": ["INTEGER", "DATE", "INTERVAL_YEAR_MONTH"]},
        {"type": "long", "kinds": ["BIGINT", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "INTERVAL_DAY_TIME", "DECIMAL"]}] as t>

    @ScalarFunction(name = "${f.name}"<#if t.type == "int">,
            description = "The ${f.name} of the arguments; NULL where one is NULL.",
            example = "${f.name}(1, 3, 2)", result = "<#if f.name == "greatest">3<#else>1</#if>"</#if>,
            signature = "<#list t.kinds as k>(${k}, ${k}) -> $0<#sep>; </#list>")
    static ${t.type} ${f.name}(${t.type} a, ${t.type} b) {
        return a ${f.sign} b ? a : b;
    }
</#list>

    @ScalarFunction(name = "${f.name}")
    static boolean ${f.name}(boolean a, boolean b) {
        return <#if f.name == "greatest">a || b<#else>a && b</#if>;
    }
<#list ["float", "double"] as t>

    @ScalarFunction(name = "${f.name}")
    static ${t} ${f.name}(${t} a, ${t} b) {
        return Comparison.${f.method}(a, b) ? a : b;
    }
</#list>

    @ScalarFunction(name = "${f.name}", signature = "(DECIMAL, DECIMAL) -> $0")
    static void ${f.name}(Int128 a, Int128 b, Int128 result) {
        result.set(a.compareTo(b) ${f.sign} 0 ? a : b);
    }

    @ScalarFunction(name = "${f.name}", signature = "(UUID, UUID) -> $0")
    static void ${f.name}Uuid(Int128 a, Int128 b, Int128 result) {
        result.set(TextOrder.compareUuids(a, b) ${f.sign} 0 ? a : b);
    }

    @ScalarFunction(name = "${f.name}", signature = "(VARCHAR, VARCHAR) -> VARCHAR; (VARBINARY, VARBINARY) -> VARBINARY")
    static void ${f.name}(StringView a, StringView b, StringWriter out) {
        out.write(a.compareTo(b) ${f.sign} 0 ? a : b);
    }
</#list>
}
