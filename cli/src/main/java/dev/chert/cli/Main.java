package dev.chert.cli;

import java.io.BufferedWriter;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Starts [ChertCommand] with the streams of the process.
public final class Main {
    private static final int BUFFER_CHARACTERS = 1 << 16;
    /// How long a statement that is interrupted may take to end by itself.
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /// Says whether standard error is a terminal, which the script that starts the JVM knows and the JVM does not.
    private static final String WATCHED = "chert.stderr.terminal";

    private Main() {}

    /// Runs the command line and ends the process.
    public static void main(String[] arguments) {
        Writer out = new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8),
                BUFFER_CHARACTERS);
        Console console = System.console();
        boolean terminal = console != null && console.isTerminal();
        Interruption interruption = new Interruption();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(interruption)));
        int status = ChertCommand.run(
                new ChertCommand.Surroundings(
                        System.in,
                        terminal,
                        out,
                        System.err,
                        Boolean.getBoolean(WATCHED),
                        new TableStatements(),
                        interruption),
                arguments);
        interruption.end();
        System.exit(status);
    }

    /// Runs when the JVM ends, also after a run that has ended by itself. A signal, such as Ctrl-C's, gives the exit
    /// status then: 130.
    private static void stop(Interruption interruption) {
        if (!interruption.request(PATIENCE)) {
            System.err.println(ErrorText.INTERRUPTED);
        }
    }
}
