package dev.chert.function;

import static dev.chert.function.FunctionTester.check;
import static dev.chert.function.FunctionTester.checkErrors;

import org.junit.jupiter.api.Test;

final class TextFunctionsTest {
    @Test
    void cutsStringsByCodePoints() {
        check("""
                substring('abc', 2) -> bc
                substring('abc', 1, 2) -> ab
                substring('abc', 0, 2) -> a
                substring('abc', -2, 4) -> a
                substring('abc', -2) -> abc
                substring('abc', -5, 1) -> ''
                substring('abc', 10, 2) -> ''
                substring('abc', 2, 2147483650) -> bc
                substring('abc', 2, 9223372036854775807) -> bc
                substring('grüße', 3, 2) -> üß
                substring('a string that is longer than a view', 3, 20) -> string that is longe
                substring('a string that is longer than a view', 3, 6) -> string
                left('grüße', 3) -> grü
                right('grüße', 3) -> üße
                left('ab', 0) -> ''
                left('ab', 7) -> ab
                right('ab', 7) -> ab
                substring(null, 1) -> NULL
                """);
        checkErrors("substring('abc', 1, -1) -> a substring cannot have -1 characters");
    }

    @Test
    void measuresAndFinds() {
        check("""
                char_length('grüße') -> 5
                octet_length('grüße') -> 7
                char_length('') -> 0
                position('ß' in 'grüße') -> 4
                position('' in 'abc') -> 1
                position('x' in 'abc') -> 0
                position('b' in 'abcb' from 3) -> 4
                position('' in 'abc' from 10) -> 0
                position('' in 'abc' from 3) -> 3
                position('tra' in 'fdgjklewrtra') -> 10
                starts_with('pear', '') -> true
                ends_with('pear', 'pear') -> true
                contains('pear', 'x') -> false
                ascii('') -> 0
                ascii('ß') -> 223
                """);
    }

    @Test
    void joinsAndPads() {
        check("""
                'a' || 'b' -> ab
                '' || 'b' -> b
                'a' || null -> NULL
                concat('a', 'b', 'c') -> abc
                'a string that is long' || ' and longer' -> a string that is long and longer
                lpad('abc', 5) -> ''  abc
                lpad('abc', 6, 'xy') -> xyxabc
                rpad('abc', 6, 'xy') -> abcxyx
                lpad('abcdef', 3, 'x') -> abc
                rpad('abc', 2) -> ab
                repeat('ab', 2) -> abab
                repeat('ab', 0) -> ''
                repeat('a string that is long', 2) -> a string that is longa string that is long
                reverse('grüße') -> eßürg
                chr(223) -> ß
                """.replace("''  abc", "  abc"));
        checkErrors("""
                chr(1114112) -> 1114112 is no code point
                repeat('ab', 10000000) -> does not fit the limit
                """);
    }

    @Test
    void changesCase() {
        check("""
                upper('grüße') -> GRÜSSE
                lower('ÄB') -> äb
                upper('abc XYZ 12') -> ABC XYZ 12
                lower('A String That Is Long') -> a string that is long
                initcap('gRÜßE aN den-rest') -> Grüße An Den-Rest
                """);
    }

    @Test
    void trimsAndReplaces() {
        check("""
                trim('  a b  ') -> a b
                ltrim('  a') -> a
                rtrim('a  ') -> a
                trim('xxaxx', 'x') -> a
                trim('xyaßyx', 'yßx') -> a
                ltrim('xxa', 'x') -> a
                rtrim('axx', 'x') -> a
                trim('    ') -> ''
                trim('  a string that is longer than a view  ') -> a string that is longer than a view
                replace('banana', 'an', 'AN') -> bANANa
                replace('banana', '', 'x') -> banana
                replace('banana', 'an', '') -> ba
                translate('12345', '143', 'ax') -> a2x5
                overlay('ABCdef' placing 'abc' from 1) -> abcdef
                overlay('ABCdef' placing 'abc' from 1 for 2) -> abcCdef
                overlay('grüße' placing 'x' from 3 for 2) -> grxe
                """);
    }

    @Test
    void matchesLikePatterns() {
        check("""
                'abc' like 'abc' -> true
                'abc' like 'a%' -> true
                'abc' like '%c' -> true
                'abc' like '%b%' -> true
                'abc' like 'a_c' -> true
                'abc' like 'a_' -> false
                'abc' like '___' -> true
                'abc' like '%_' -> true
                'abc' like '_%_%_' -> true
                'ab' like '_%_%_' -> false
                '' like '' -> true
                '' like '%' -> true
                '' like '_' -> false
                'grüße' like 'gr__e' -> true
                'ß' like '_' -> true
                'aXbYc' like 'a%b%c' -> true
                'aab' like '%ab' -> true
                'abab' like 'ab%ab' -> true
                'aba' like 'ab%ba' -> false
                'special packages requests' like '%special%requests%' -> true
                'requests special' like '%special%requests%' -> false
                'a%c' like 'a!%c' escape '!' -> true
                'abc' like 'a!%c' escape '!' -> false
                'a!c' like 'a!!c' escape '!' -> true
                'a.c' like 'abc' -> false
                'ABC' ilike 'a%' -> true
                'GRÜSSE' ilike 'grüs%' -> true
                'A%' ilike 'a!%' escape '!' -> true
                'abc' similar to 'a(b|x)c' -> true
                'abc' similar to 'a%' -> true
                'abc' similar to '(a|b)+' -> false
                'a1' similar to '[[:ALPHA:]][0-9]' -> true
                'a.c' similar to 'a.c' -> true
                'abc' similar to 'a.c' -> false
                'abc' like null -> NULL
                """);
        checkErrors("""
                'abc' like 'a!b' escape '!' -> has its escape character before neither %, _ nor itself
                'abc' like 'a' escape 'xy' -> the escape 'xy' is not one character
                'abc' similar to '(' -> is no pattern of SIMILAR TO
                """);
    }
}
