/// Conversions between types: the methods that CAST runs, all under the name `cast`.
///
/// [NumberCasts] and the template `IntegerCasts` go between numbers, [TextCasts] to and from strings, [TimeCasts]
/// among dates, times and timestamps. Numbers are checked against their new type; to integers, fractions are cut
/// off; to DECIMAL, they are rounded half away from zero. A failure is a [dev.chert.function.FunctionException],
/// which TRY_CAST turns into NULL.
package dev.chert.function.cast;
