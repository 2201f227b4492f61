/// Functions on dates, times, timestamps and intervals.
///
/// A DATE is days, a TIMESTAMP units since 1970-01-01, a TIME units since midnight; the unit follows from the
/// type's precision and comes with the [dev.chert.function.CallContext]. [TimeField] splits them into fields,
/// [Calendar] has the arithmetic on days and months. A TIMESTAMP WITH LOCAL TIME ZONE is split in the query's
/// zone.
package dev.chert.function.time;
