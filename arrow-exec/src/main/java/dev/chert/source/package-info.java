/// What a source of rows is, and how files are reached.
///
/// Start with [TableSource]: a serialisable description that knows its schema and statistics, can be told which
/// columns and predicates matter, and cuts itself into [Split]s, which workers open one after the other as
/// [SplitReader]s. A file format is a [FileFormat], found through [java.util.ServiceLoader]; the planner names
/// none. All file access goes through a [FileSystem], so that paths can be checked and other stores plugged in.
///
/// A predicate that a source *prunes* by may leave too many rows; one that it applies *exactly* leaves none that
/// do not satisfy it, and the filter above can go.
package dev.chert.source;
