package dev.chert.source;

/// What a source does with a predicate.
public enum PredicateUse {
    /// Nothing.
    IGNORED,
    /// Leaves out what statistics exclude; rows that do not satisfy it may still come.
    PRUNES,
    /// Gives only rows that satisfy it.
    EXACT
}
