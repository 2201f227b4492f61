package dev.chert.memory;

import java.lang.foreign.Arena;
import java.nio.file.Path;

/// A process that spills to a directory and then stays until it is killed; what it prints says when.
final class SpillingProcess {
    private SpillingProcess() {}

    static Process start(Path directory) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SpillingProcess.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.inputReader().readLine();
        return process;
    }

    public static void main(String[] arguments) throws Exception {
        SpillOptions options = new SpillOptions(Path.of(arguments[0]), Long.MAX_VALUE, false, false);
        MemoryManager manager = new MemoryManager(64L << 20, false, 1, options);
        SpillFile file = manager.openAccount("query 1", Long.MAX_VALUE)
                .allocator("Sort 5")
                .spillFile();
        file.write(Arena.global().allocate(1 << 20));
        System.out.println("spilled");
        Thread.sleep(Long.MAX_VALUE);
    }
}
