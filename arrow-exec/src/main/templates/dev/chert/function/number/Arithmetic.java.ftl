package dev.chert.function.number;

import dev.chert.function.FunctionException;
import dev.chert.function.ScalarFunction;

/// The four operations, remainder and sign of integers and floating point numbers. Integers overflow with an error,
/// and their division truncates; floating point numbers follow IEEE 754.
final class Arithmetic {
    private Arithmetic() {}
<#list [{"type": "int", "sql": "INTEGER"}, {"type": "long", "sql": "BIGINT"}] as t>
<#assign doc = t.type == "int">

    @ScalarFunction(name = "+"<#if doc>, description = "Adds two numbers, or a date or timestamp and an interval.",
            example = "1 + 2", result = "3"</#if>)
    static ${t.type} add(${t.type} a, ${t.type} b) {
        return Math.addExact(a, b);
    }

    @ScalarFunction(name = "-"<#if doc>, description = "Subtracts; with one argument, changes the sign.",
            example = "5 - 7", result = "-2"</#if>)
    static ${t.type} subtract(${t.type} a, ${t.type} b) {
        return Math.subtractExact(a, b);
    }

    @ScalarFunction(name = "*"<#if doc>, description = "Multiplies two numbers, or an interval and a number.",
            example = "6 * 7", result = "42"</#if>)
    static ${t.type} multiply(${t.type} a, ${t.type} b) {
        return Math.multiplyExact(a, b);
    }

    @ScalarFunction(name = "/"<#if doc>, description = "Divides; of two integers the result is truncated.",
            example = "7 / 2", result = "3"</#if>)
    static ${t.type} divide(${t.type} a, ${t.type} b) {
        if (b == 0) {
            throw FunctionException.divisionByZero();
        }
        return Math.divideExact(a, b);
    }

    @ScalarFunction(name = "%", aliases = "mod"<#if doc>, description = "The remainder of a division, with the sign of the dividend.",
            example = "mod(7, 3)", result = "1"</#if>)
    static ${t.type} remainder(${t.type} a, ${t.type} b) {
        if (b == 0) {
            throw FunctionException.divisionByZero();
        }
        return b == -1 ? 0 : a % b;
    }

    @ScalarFunction(name = "-")
    static ${t.type} negate(${t.type} a) {
        return Math.negateExact(a);
    }
</#list>
<#list [{"type": "byte", "sql": "TINYINT"}, {"type": "short", "sql": "SMALLINT"}] as t>

    private static ${t.type} checked${t.type?cap_first}(int value) {
        if ((${t.type}) value != value) {
            throw FunctionException.overflow(value, "${t.sql}");
        }
        return (${t.type}) value;
    }
<#list [{"name": "add", "sign": "+"}, {"name": "subtract", "sign": "-"}, {"name": "multiply", "sign": "*"}] as o>

    @ScalarFunction(name = "${o.sign}")
    static ${t.type} ${o.name}(${t.type} a, ${t.type} b) {
        return checked${t.type?cap_first}(a ${o.sign} b);
    }
</#list>

    @ScalarFunction(name = "/")
    static ${t.type} divide(${t.type} a, ${t.type} b) {
        if (b == 0) {
            throw FunctionException.divisionByZero();
        }
        return checked${t.type?cap_first}(a / b);
    }

    @ScalarFunction(name = "%", aliases = "mod")
    static ${t.type} remainder(${t.type} a, ${t.type} b) {
        if (b == 0) {
            throw FunctionException.divisionByZero();
        }
        return (${t.type}) (a % b);
    }

    @ScalarFunction(name = "-")
    static ${t.type} negate(${t.type} a) {
        return checked${t.type?cap_first}(-a);
    }
</#list>
<#list ["float", "double"] as t>
<#list [{"name": "add", "sign": "+"}, {"name": "subtract", "sign": "-"}, {"name": "multiply", "sign": "*"},
        {"name": "divide", "sign": "/"}, {"name": "remainder", "sign": "%"}] as o>

    @ScalarFunction(name = "${o.sign}"<#if o.sign == "%">, aliases = "mod"</#if>)
    static ${t} ${o.name}(${t} a, ${t} b) {
        return a ${o.sign} b;
    }
</#list>

    @ScalarFunction(name = "-")
    static ${t} negate(${t} a) {
        return -a;
    }
</#list>
}
