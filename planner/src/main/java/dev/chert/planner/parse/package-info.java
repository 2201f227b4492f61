/// From text to statements.
///
/// Start with [StatementParser]: it runs the parser that the build generates from Calcite's grammar (see the
/// edits in
/// `src/main/grammar`) and gives a [Statement]. [StatementSplitter] cuts a script into statements first and keeps
/// where each begins, so that every error names a line and column of the script. [ParseErrors] words what the
/// generated parser throws.
///
/// Statements other than queries are our own records: Calcite's nodes for them carry much that we refuse, and
/// lack what we need. Primary and unique keys may be declared as NOT ENFORCED, which is information that changes
/// nothing; keys that would have to be enforced, checks and foreign keys are refused by name.
///
/// [Features] refuses what Calcite's grammar reads and Chert does not run, before the validator trips over it.
package dev.chert.planner.parse;
