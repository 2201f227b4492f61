package dev.chert.bench.engine;

import dev.chert.bench.result.QueryResult;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;

/// Main class of an engine's own JVM: opens the engine that it is told to, then runs what it is told to.
final class EngineChild {
    private final ObjectInputStream input;
    private final ObjectOutputStream output;

    private EngineChild(ObjectInputStream input, ObjectOutputStream output) {
        this.input = input;
        this.output = output;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream pipe = System.out;
        System.setOut(System.err); // an engine that prints must not talk into the pipe
        try (ObjectOutputStream output = new ObjectOutputStream(new BufferedOutputStream(pipe))) {
            output.flush(); // the header, which the parent's stream waits for
            try (ObjectInputStream input = new ObjectInputStream(new BufferedInputStream(System.in))) {
                new EngineChild(input, output).serve();
            }
        }
    }

    private void serve() throws IOException, ClassNotFoundException {
        Message.Open open = (Message.Open) input.readObject();
        try (Engine engine = open.engine().open(open.setup())) {
            answer(new Message.Ready(engine.description()));
            while (true) {
                Message.Run run;
                try {
                    run = (Message.Run) input.readObject();
                } catch (EOFException _) {
                    return; // the parent has no more queries
                }
                answer(run(engine, run));
            }
        } catch (IOException | ClassNotFoundException e) {
            throw e;
        } catch (Exception e) {
            answer(new Message.Failed(reason(e)));
        }
    }

    private static Message run(Engine engine, Message.Run run) {
        try {
            long start = System.nanoTime();
            QueryResult result = engine.run(run.sql());
            long nanos = System.nanoTime() - start;
            return new Message.Finished(nanos, run.rowsWanted() ? result : null);
        } catch (Exception e) {
            return new Message.Failed(reason(e));
        }
    }

    private void answer(Message message) throws IOException {
        output.writeObject(message);
        output.reset(); // else the stream keeps every row it ever wrote
        output.flush();
    }

    private static String reason(Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
