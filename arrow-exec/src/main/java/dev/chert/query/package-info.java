/// What all parts of a running query share: its settings, clock, zone, seed, memory and its cancellation.
///
/// Start with [QueryContext]. [Settings] is the one list of settings of the whole engine, with one spelling
/// everywhere. This package stands below functions, expressions and operators, so that none of them has to know
/// the others.
package dev.chert.query;
