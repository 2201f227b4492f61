/// What is run: suites of queries over the same files for every engine.
///
/// A new benchmark is an implementation of [Suite] and a subcommand that makes one.
package dev.chert.bench.suite;
