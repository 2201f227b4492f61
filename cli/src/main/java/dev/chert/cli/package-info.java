/// The command line: statements in, rows out.
///
/// Start at [ChertCommand]: it collects the statements of `-c`, `-f` or standard input as a [Script] and runs them one
/// by one through a [StatementRunner], which is all that the command line knows of the engine. Rows go to a
/// [RowPrinter] as they come; [ErrorText] words what went wrong.
///
/// Decisions:
///
/// - Only rows go to standard output. Times, warnings and errors go to standard error, and a statement without a result
///   prints nothing.
/// - A statement that takes longer than a second shows a bar ([ProgressDisplay]) where standard error is a terminal; it
///   goes before the first row is printed. `bin/chert` looks whether it is one, since a JVM cannot.
/// - A script ends at the first statement that fails.
/// - An error is one line; where it has a place in the text, the source line and a caret follow. Positions that the
///   engine reports count from the start of their statement; [Script] knows where that is.
/// - CSV and JSON print row by row and never hold a result. A table needs widths: it looks at the first rows
///   ([TablePrinter#LOOK_AHEAD]) and lets later rows that are wider run over.
/// - Ctrl-C, and every other signal that ends the JVM, cancels the statement that runs and ends the script
///   ([Interruption]): one line says so, the rows before it are printed.
/// - The engine is a run's own and closes with it, so that no folder of spill files stays behind.
/// - A reader that closes the pipe ends the run quietly, as `head` does.
/// - Start-up is most of the time of a short query, so nothing here touches arrow-java, and a printer's library only
///   when its format is asked for.
package dev.chert.cli;
