package dev.chert.bench.engine;

import dev.chert.bench.result.QueryResult;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/// An engine in a JVM of its own, so that no engine runs in another's heap, compiler queue or thread pool.
///
/// The child idles while it is not asked, and ends when this is closed or its parent dies.
public final class EngineProcess implements AutoCloseable {
    private final String label;
    private final Process process;
    private final ObjectOutputStream output;
    private final ObjectInputStream input;
    private final String description;

    private EngineProcess(EngineName name, String label, Process process, EngineSetup setup) throws IOException {
        this.label = label;
        this.process = process;
        this.output = new ObjectOutputStream(new BufferedOutputStream(process.getOutputStream()));
        this.output.flush();
        this.input = new ObjectInputStream(new BufferedInputStream(process.getInputStream()));
        this.description = switch (ask(new Message.Open(name, setup))) {
            case Message.Ready ready -> ready.description();
            case Message.Failed failed -> throw new IOException(label + " does not open: " + failed.reason());
            case Message other -> throw unexpected(other);
        };
    }

    /// Starts the engine's JVM and waits until its tables are open.
    /// @param label      what reports call it: the engine's name, or another where it takes part more than once
    /// @param jvmOptions options of the child beyond those that the engine always gets
    /// @throws IOException if the JVM does not start or the engine does not open
    public static EngineProcess start(EngineName name, String label, EngineSetup setup, List<String> jvmOptions)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(name.jvmOptions());
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), EngineChild.class.getName()));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return new EngineProcess(name, label, process, setup);
        } catch (IOException e) {
            process.destroy();
            throw e;
        }
    }

    public String label() {
        return label;
    }

    /// Returns what the engine says of itself: version, threads, codec.
    public String description() {
        return description;
    }

    /// Returns the most memory that the child ever had resident, in bytes, its heap and code included; empty where
    /// the system does not tell (`VmHWM` of Linux).
    /// @throws IOException if the child has ended
    public OptionalLong peakResidentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (!Files.exists(status)) {
            return OptionalLong.empty();
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findFirst();
    }

    /// Runs a query, fetching its rows in the child only.
    /// @return how long it took there
    public Answer time(String sql) throws IOException {
        return answer(sql, false);
    }

    /// Runs a query and brings its rows.
    public Answer fetch(String sql) throws IOException {
        return answer(sql, true);
    }

    private Answer answer(String sql, boolean rowsWanted) throws IOException {
        return switch (ask(new Message.Run(sql, rowsWanted))) {
            case Message.Finished(long nanos, QueryResult result) -> new Answer.Rows(nanos, result);
            case Message.Failed(String reason) -> new Answer.Failure(reason);
            case Message other -> throw unexpected(other);
        };
    }

    private Message ask(Message question) throws IOException {
        try {
            output.writeObject(question);
            output.flush();
            return (Message) input.readObject();
        } catch (ClassNotFoundException e) {
            throw new IOException(label + " answered with a class that is not here", e);
        } catch (IOException e) {
            throw new IOException("the JVM of " + label + " ended: " + exitText(), e);
        }
    }

    private String exitText() {
        try {
            return process.waitFor(5, TimeUnit.SECONDS) ? "exit status " + process.exitValue() : "no answer";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private IOException unexpected(Message message) {
        return new IOException(label + " answered out of turn: " + message);
    }

    @Override
    public void close() throws IOException {
        output.close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroy();
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
