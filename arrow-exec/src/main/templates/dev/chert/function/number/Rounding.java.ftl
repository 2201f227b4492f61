package dev.chert.function.number;

import dev.chert.function.CallContext;
import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;
import dev.chert.kernel.Int128;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Absolute values, signs, and rounding to whole numbers or to so many digits, for all numbers. Halves are rounded away
/// from zero; a negative number of digits rounds before the point.
final class Rounding {
    private Rounding() {}
<#list [{"type": "byte", "sql": "TINYINT"}, {"type": "short", "sql": "SMALLINT"},
        {"type": "int", "sql": "INTEGER"}, {"type": "long", "sql": "BIGINT"}] as t>

    @ScalarFunction(name = "abs"<#if t.type == "int">, signature = "(INTEGER) -> $0; (INTERVAL_YEAR_MONTH) -> $0",
            description = "The absolute value.", example = "abs(-3)", result = "3"<#elseif t.type == "long">, signature = "(BIGINT) -> $0; (INTERVAL_DAY_TIME) -> $0"</#if>)
    static ${t.type} abs(${t.type} value) {
        if (value == ${t.type?cap_first?replace("Int", "Integer")}.MIN_VALUE) {
            throw FunctionException.overflow("the absolute value of " + value, "${t.sql}");
        }
        return <#if t.type == "byte" || t.type == "short">(${t.type}) </#if>Math.abs(value);
    }

    @ScalarFunction(name = "sign"<#if t.type == "int">,
            description = "-1, 0 or 1 as a number is negative, zero or positive.", example = "sign(-3)", result = "-1"</#if>)
    static ${t.type} sign(${t.type} value) {
        return <#if t.type == "byte" || t.type == "short">(${t.type}) </#if><#if t.type == "long">Long<#else>Integer</#if>.signum(value);
    }

    @ScalarFunction(name = "floor")
    static ${t.type} floor(${t.type} value) {
        return value;
    }

    @ScalarFunction(name = "ceil", aliases = "ceiling")
    static ${t.type} ceil(${t.type} value) {
        return value;
    }
<#list ["round", "truncate"] as f>

    @ScalarFunction(name = "${f}"<#if f == "truncate">, aliases = "trunc"</#if>)
    static ${t.type} ${f}(${t.type} value) {
        return value;
    }

    @ScalarFunction(name = "${f}"<#if f == "truncate">, aliases = "trunc"</#if>)
    static ${t.type} ${f}(${t.type} value, int digits) {
        long rounded = WholeRounding.${f}(value, digits);
<#if t.type == "long">
        return rounded;
<#else>
        if ((${t.type}) rounded != rounded) {
            throw FunctionException.overflow(rounded, "${t.sql}");
        }
        return (${t.type}) rounded;
</#if>
    }
</#list>
</#list>
<#list ["float", "double"] as t>

    @ScalarFunction(name = "abs")
    static ${t} abs(${t} value) {
        return Math.abs(value);
    }

    @ScalarFunction(name = "sign")
    static ${t} sign(${t} value) {
        return Math.signum(value);
    }

    @ScalarFunction(name = "floor"<#if t == "double">,
            description = "The greatest whole number that is not greater; of a date or time, see date_trunc.",
            example = "floor(-1.5)", result = "-2"</#if>)
    static ${t} floor(${t} value) {
        return <#if t == "float">(float) </#if>Math.floor(value);
    }

    @ScalarFunction(name = "ceil", aliases = "ceiling"<#if t == "double">,
            description = "The least whole number that is not less; of a date or time, see date_ceil.",
            example = "ceil(-1.5)", result = "-1"</#if>)
    static ${t} ceil(${t} value) {
        return <#if t == "float">(float) </#if>Math.ceil(value);
    }

    @ScalarFunction(name = "round"<#if t == "double">,
            description = "Rounds to a whole number or to so many fraction digits, halves away from zero.",
            example = "round(2.345, 2)", result = "2.350"</#if>)
    static ${t} round(${t} value) {
        ${t} whole = <#if t == "float">(float) </#if>Math.floor(Math.abs(value));
        return Math.copySign(Math.abs(value) - whole >= 0.5<#if t == "float">f</#if> ? whole + 1 : whole, value);
    }

    @ScalarFunction(name = "truncate", aliases = "trunc"<#if t == "double">,
            description = "Cuts off all fraction digits, or all but so many.",
            example = "truncate(2.345, 2)", result = "2.340"</#if>)
    static ${t} truncate(${t} value) {
        return <#if t == "float">(float) </#if>(value < 0 ? Math.ceil(value) : Math.floor(value));
    }
<#list [{"name": "round", "mode": "HALF_UP"}, {"name": "truncate", "mode": "DOWN"}] as f>

    @ScalarFunction(name = "${f.name}"<#if f.name == "truncate">, aliases = "trunc"</#if>)
    static ${t} ${f.name}(${t} value, int digits) {
        if (<#if t == "float">Float<#else>Double</#if>.isNaN(value) || <#if t == "float">Float<#else>Double</#if>.isInfinite(value)) {
            return value;
        }
        int scale = Math.clamp(digits, -400, 400);
        return new BigDecimal(<#if t == "float">Float<#else>Double</#if>.toString(value))
                .setScale(scale, RoundingMode.${f.mode})
                .${t}Value();
    }
</#list>
</#list>

    @ScalarFunction(name = "abs", signature = "(DECIMAL) -> $0")
    static long absDecimal(long value) {
        return Math.absExact(value);
    }

    @ScalarFunction(name = "abs", signature = "(DECIMAL) -> $0")
    static void absDecimal(Int128 value, Int128 result) {
        if (value.isNegative()) {
            Int128.negate(value, result);
        } else {
            result.set(value);
        }
    }

    @ScalarFunction(name = "sign", signature = "(DECIMAL) -> $0")
    static long signDecimal(CallContext context, long value) {
        return DecimalRounding.rescale(Long.signum(value), context.resultType().scale());
    }

    @ScalarFunction(name = "sign", signature = "(DECIMAL) -> $0")
    static void signDecimal(CallContext context, Int128 value, Int128 result) {
        int sign = value.isNegative() ? -1 : value.isZero() ? 0 : 1;
        result.set(sign);
        DecimalRounding.rescale(result, context.resultType().scale(), result);
    }
<#list [{"name": "floor", "mode": "FLOOR", "alias": ""}, {"name": "ceil", "mode": "CEILING", "alias": "ceiling"}] as f>

    @ScalarFunction(name = "${f.name}"<#if f.alias != "">, aliases = "${f.alias}"</#if>, signature = "(DECIMAL) -> DECIMAL")
    static long ${f.name}Decimal(CallContext context, long value) {
        int scale = context.argumentType(0).scale();
        if (scale > 18) {
            return <#if f.name == "floor">value < 0 ? -1 : 0<#else>value > 0 ? 1 : 0</#if>;
        }
        return Math.${f.name}Div(value, PowersOfTen.longPower(scale));
    }

    @ScalarFunction(name = "${f.name}"<#if f.alias != "">, aliases = "${f.alias}"</#if>, signature = "(DECIMAL) -> DECIMAL")
    static void ${f.name}Decimal(CallContext context, Int128 value, Int128 result) {
        BigDecimal whole = value.toBigDecimal(context.argumentType(0).scale()).setScale(0, RoundingMode.${f.mode});
        result.set(whole.unscaledValue());
    }
</#list>
<#list [{"name": "round", "mode": "HALF_UP"}, {"name": "truncate", "mode": "DOWN"}] as f>
<#assign aliases><#if f.name == "truncate">, aliases = "trunc"</#if></#assign>

    @ScalarFunction(name = "${f.name}"${aliases}, signature = "(DECIMAL) -> $0")
    static long ${f.name}Decimal(CallContext context, long value) {
        return ${f.name}Decimal(context, value, 0);
    }

    @ScalarFunction(name = "${f.name}"${aliases}, signature = "(DECIMAL) -> $0")
    static void ${f.name}Decimal(CallContext context, Int128 value, Int128 result) {
        ${f.name}Decimal(context, value, 0, result);
    }

    @ScalarFunction(name = "${f.name}"${aliases}, signature = "(DECIMAL, INTEGER) -> $0")
    static long ${f.name}Decimal(CallContext context, long value, int digits) {
        return WholeRounding.${f.name}(value, Math.clamp((long) digits - context.argumentType(0).scale(), -100, 0));
    }

    @ScalarFunction(name = "${f.name}"${aliases}, signature = "(DECIMAL, INTEGER) -> $0")
    static void ${f.name}Decimal(CallContext context, Int128 value, int digits, Int128 result) {
        int dropped = Math.clamp((long) context.argumentType(0).scale() - digits, 0, 100);
        BigDecimal rounded = new BigDecimal(value.toBigInteger()).setScale(-dropped, RoundingMode.${f.mode});
        result.set(rounded.setScale(0).unscaledValue());
        Int128.checkDecimal(result);
    }
</#list>
}
