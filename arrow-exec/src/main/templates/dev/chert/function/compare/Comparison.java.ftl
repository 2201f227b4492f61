package dev.chert.function.compare;

import dev.chert.batch.StringView;
import dev.chert.function.ScalarFunction;
import dev.chert.kernel.Int128;

/// Comparisons of two values of one type. NaN equals NaN and is greater than all; -0.0 equals 0.0; strings and byte
/// strings compare byte by byte, but a CHAR is padded with spaces.
final class Comparison {
    private Comparison() {}
<#assign operators = [
    {"sign": "=", "name": "equal", "description": "True where both are equal."},
    {"sign": "<>", "name": "notEqual", "description": "True where both differ."},
    {"sign": "<", "name": "less", "description": "True where the first is less than the second."},
    {"sign": "<=", "name": "lessOrEqual", "description": "True where the first is less than or equal to the second."},
    {"sign": ">", "name": "greater", "description": "True where the first is greater than the second."},
    {"sign": ">=", "name": "greaterOrEqual",
     "description": "True where the first is greater than or equal to the second."}]>
<#assign integers = [
    {"type": "byte", "kinds": ["TINYINT"]}, {"type": "short", "kinds": ["SMALLINT"]},
    {"type": "int", "kinds": ["INTEGER", "DATE", "INTERVAL_YEAR_MONTH"]},
    {"type": "long", "kinds": ["BIGINT", "TIME", "TIMESTAMP", "TIMESTAMP_LTZ", "INTERVAL_DAY_TIME", "DECIMAL"]}]>
<#macro signature kinds><#list kinds as k>(${k}, ${k}) -> BOOLEAN<#sep>; </#list></#macro>
<#list operators as o>
<#assign java = o.sign?replace("<>", "!=")>
<#if o.sign == "="><#assign java = "=="></#if>
<#list integers as t>

    @ScalarFunction(
            name = "${o.sign}",
<#if t.type == "int">            description = "${o.description}",
            example = "1 ${o.sign} 2",
            result = "<#if o.sign == "<>" || o.sign == "<" || o.sign == "<=">true<#else>false</#if>",
</#if>
            signature = "<@signature t.kinds/>")
    static boolean ${o.name}(${t.type} a, ${t.type} b) {
        return a ${java} b;
    }
</#list>

    @ScalarFunction(name = "${o.sign}")
    static boolean ${o.name}(boolean a, boolean b) {
<#if o.sign == "=" || o.sign == "<>">
        return a ${java} b;
<#else>
        return Boolean.compare(a, b) ${java} 0;
</#if>
    }
<#list ["float", "double"] as t>

    @ScalarFunction(name = "${o.sign}")
    static boolean ${o.name}(${t} a, ${t} b) {
<#switch o.sign>
<#case "=">
        return a == b || (a != a && b != b);
<#break>
<#case "<>">
        return a != b && (a == a || b == b);
<#break>
<#case "<">
        return a < b || (b != b && a == a);
<#break>
<#case "<=">
        return a <= b || b != b;
<#break>
<#case ">">
        return a > b || (a != a && b == b);
<#break>
<#case ">=">
        return a >= b || a != a;
<#break>
</#switch>
    }
</#list>

    @ScalarFunction(name = "${o.sign}", signature = "(DECIMAL, DECIMAL) -> BOOLEAN")
    static boolean ${o.name}(Int128 a, Int128 b) {
<#if o.sign == "=" || o.sign == "<>">
        return <#if o.sign == "<>">!</#if>a.sameAs(b);
<#else>
        return a.compareTo(b) ${java} 0;
</#if>
    }

    @ScalarFunction(name = "${o.sign}", signature = "(UUID, UUID) -> BOOLEAN")
    static boolean ${o.name}Uuid(Int128 a, Int128 b) {
<#if o.sign == "=" || o.sign == "<>">
        return <#if o.sign == "<>">!</#if>a.sameAs(b);
<#else>
        return TextOrder.compareUuids(a, b) ${java} 0;
</#if>
    }

    @ScalarFunction(name = "${o.sign}", signature = "(CHAR, CHAR) -> BOOLEAN")
    static boolean ${o.name}Padded(StringView a, StringView b) {
        return TextOrder.comparePadded(a, b) ${java} 0;
    }

    @ScalarFunction(name = "${o.sign}", signature = "(VARCHAR, VARCHAR) -> BOOLEAN; (VARBINARY, VARBINARY) -> BOOLEAN")
    static boolean ${o.name}(StringView a, StringView b) {
<#if o.sign == "=" || o.sign == "<>">
        return <#if o.sign == "<>">!</#if>a.sameBytes(b);
<#else>
        return a.compareTo(b) ${java} 0;
</#if>
    }
</#list>

    @ScalarFunction(
            name = "not",
            description = "True where the argument is false.",
            example = "not true",
            result = "false")
    static boolean not(boolean a) {
        return !a;
    }
}
