package dev.chert.cli;

import java.io.BufferedWriter;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/// Starts [ChertCommand] with the streams of the process.
public final class Main {
    private static final int BUFFER_CHARACTERS = 1 << 16;

    private Main() {}

    /// Runs the command line and ends the process.
    public static void main(String[] arguments) {
        Writer out = new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8),
                BUFFER_CHARACTERS);
        Console console = System.console();
        boolean terminal = console != null && console.isTerminal();
        System.exit(ChertCommand.run(
                new ChertCommand.Surroundings(System.in, terminal, out, System.err, new TableStatements()), arguments));
    }
}
