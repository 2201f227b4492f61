/// Functions on numbers.
///
/// `Arithmetic`, on integers and floating point numbers, comes from a template. [DecimalArithmetic] has each
/// operation in two forms: on 64-bit numbers, checked, and on 128-bit ones; the evaluator takes the first while a
/// batch's values fit and falls back to the second. [MathFunctions] has what needs a table of values.
package dev.chert.function.number;
