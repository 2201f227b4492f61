package dev.chert.function;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Makes a static method the definition of a scalar function, or of one of its overloads.
///
/// The method computes one row. Its parameters are primitives, [dev.chert.batch.StringView] or
/// [dev.chert.kernel.Int128]; a parameter of another type is made of a string by a static method `of(StringView)`
/// of that type, once for a constant. A row where an argument is NULL is NULL and never reaches the method,
/// unless the parameter is boxed; a boxed result may be null. Strings and 128-bit numbers are results by a last
/// parameter, [StringWriter] or [dev.chert.kernel.Int128]. A first parameter [dev.chert.query.QueryContext] or
/// [CallContext] is no argument.
@Documented
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.METHOD)
public @interface ScalarFunction {
    /// The name in SQL, lower case; an operator's is its sign.
    String name();

    String[] aliases() default {};

    /// The SQL types, where Java's say too little: `(DATE, INTERVAL_YEAR_MONTH) -> DATE`. A type stands for all
    /// its precisions; a result `$0` has the type of the first argument. Several, separated by semicolons, share
    /// the method.
    String signature() default "";

    /// False where two calls with equal arguments may differ: such a call is made for each row and never folded.
    boolean deterministic() default true;

    /// One sentence for the reference, on one of the overloads.
    String description() default "";

    /// A call, for the reference; a test evaluates it.
    String example() default "";

    /// What the example gives.
    String result() default "";
}
