package dev.chert.bench.stress;

import dev.chert.bench.engine.ChertEngine;
import dev.chert.bench.engine.EngineSetup;
import dev.chert.bench.result.QueryResult;
import dev.chert.bench.result.ResultComparison;
import dev.chert.bench.suite.Query;
import dev.chert.bench.suite.Suite;
import dev.chert.memory.MemoryManager;
import dev.chert.table.EngineMemory;
import dev.chert.table.TableEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// An engine with settings of the user's, the queries of a suite, and the answers that an engine without these settings
/// gave. Thread-safe.
final class StressedEngine implements AutoCloseable {
    private final ChertEngine engine;
    private final Path spillFolder;
    private final List<Query> queries;
    private final Map<String, QueryResult> answers = new ConcurrentHashMap<>();

    /// Runs every query once without `settings`, for its answer.
    ///
    /// @param settings those of the engine that is stressed
    StressedEngine(Suite suite, int threads, Map<String, String> settings) {
        queries = suite.queries();
        LinkedHashMap<String, String> tables = new LinkedHashMap<>();
        suite.tables()
                .forEach(
                        (table, file) -> tables.put(table, file.toAbsolutePath().toString()));
        try (ChertEngine unlimited = new ChertEngine(new EngineSetup(threads, new LinkedHashMap<>(), tables))) {
            queries.forEach(query -> answers.put(query.name(), unlimited.run(query.sql())));
        }
        try {
            spillFolder = Files.createTempDirectory("chert-stress-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LinkedHashMap<String, String> all = new LinkedHashMap<>(settings);
        all.put("spill.directory", spillFolder.toString());
        engine = new ChertEngine(new EngineSetup(threads, all, tables));
    }

    String description() {
        return engine.description();
    }

    TableEnvironment environment() {
        return engine.environment();
    }

    MemoryManager memory() {
        return EngineMemory.of(environment());
    }

    List<Query> queries() {
        return queries;
    }

    QueryResult run(String sql) {
        return engine.run(sql);
    }

    /// Where a result of a query departs from its right answer.
    Optional<String> difference(Query query, QueryResult result) {
        return ResultComparison.difference(answers.get(query.name()), result);
    }

    /// What an idle engine still holds: memory, blocks or files on disk; empty where there is nothing.
    List<String> leftovers() {
        MemoryManager memory = memory();
        List<String> found = new ArrayList<>();
        if (memory.reservedBytes() != 0) {
            found.add(memory.reservedBytes() + " bytes are reserved");
        }
        if (memory.liveBuffers() != 0) {
            found.add(memory.liveBuffers() + " buffers are alive");
        }
        if (memory.spilledBytes() != 0) {
            found.add(memory.spilledBytes() + " bytes are spilled");
        }
        List<Path> files = spillFiles();
        if (!files.isEmpty()) {
            found.add("there are spill files: " + files);
        }
        return found;
    }

    /// Files below the spill folder but for the lock files, which are empty.
    private List<Path> spillFiles() {
        try (Stream<Path> files = Files.walk(spillFolder, FileVisitOption.values())) {
            return files.filter(
                            file -> Files.isRegularFile(file) && file.toFile().length() > 0)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        engine.close();
        try (Stream<Path> files = Files.walk(spillFolder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
