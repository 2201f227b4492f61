package dev.chert.table;

/// One statement of a script, and where in the script it begins.
///
/// @param text   without the semicolon that ends it
/// @param line   of its first character, from 1
/// @param column of its first character, from 1
public record SqlStatement(String text, int line, int column) {}
