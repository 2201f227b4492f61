package dev.chert.function.cast;

import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;

/// Conversions between integers and floating point numbers. Fractions are cut off.
final class IntegerCasts {
    private IntegerCasts() {}
<#assign integers = [{"type": "byte", "sql": "TINYINT"}, {"type": "short", "sql": "SMALLINT"},
        {"type": "int", "sql": "INTEGER"}, {"type": "long", "sql": "BIGINT"}]>
<#list integers as from>
<#list integers as to>
<#if from.type != to.type>

    @ScalarFunction(name = "cast")
    static ${to.type} ${from.type}To${to.type?cap_first}(${from.type} value) {
<#if (from?index < to?index)>
        return value;
<#else>
        if ((${to.type}) value != value) {
            throw FunctionException.overflow(value, "${to.sql}");
        }
        return (${to.type}) value;
</#if>
    }
</#if>
</#list>

    @ScalarFunction(name = "cast")
    static float ${from.type}ToFloat(${from.type} value) {
        return value;
    }

    @ScalarFunction(name = "cast")
    static double ${from.type}ToDouble(${from.type} value) {
        return value;
    }

    @ScalarFunction(name = "cast")
    static boolean ${from.type}ToBoolean(${from.type} value) {
        return value != 0;
    }

    @ScalarFunction(name = "cast")
    static ${from.type} booleanTo${from.type?cap_first}(boolean value) {
        return <#if from.type == "byte" || from.type == "short">(${from.type}) </#if>(value ? 1 : 0);
    }
<#list ["float", "double"] as floating>

    @ScalarFunction(name = "cast")
    static ${from.type} ${floating}To${from.type?cap_first}(${floating} value) {
<#if from.type == "long">
        // 2^63, the least that does not fit, is a floating point number; the greatest that fits is none.
        if (!(value >= -0x1p63 && value < 0x1p63)) {
            throw FunctionException.overflow(value, "${from.sql}");
        }
        return (long) value;
<#else>
        double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
        if (!(whole >= ${from.type?cap_first?replace("Int", "Integer")}.MIN_VALUE && whole <= ${from.type?cap_first?replace("Int", "Integer")}.MAX_VALUE)) {
            throw FunctionException.overflow(value, "${from.sql}");
        }
        return (${from.type}) whole;
</#if>
    }
</#list>
</#list>

    @ScalarFunction(name = "cast")
    static double floatToDouble(float value) {
        return value;
    }

    @ScalarFunction(name = "cast")
    static float doubleToFloat(double value) {
        float narrow = (float) value;
        if (Float.isInfinite(narrow) && !Double.isInfinite(value)) {
            throw FunctionException.overflow(value, "REAL");
        }
        return narrow;
    }
}
