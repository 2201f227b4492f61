package dev.chert.table;

import dev.chert.memory.MemoryManager;

/// The memory of an environment's engine, which only programs that watch it need.
public final class EngineMemory {
    private EngineMemory() {}

    public static MemoryManager of(TableEnvironment environment) {
        return environment.session().engine().memory();
    }
}
