package dev.chert.table;

import dev.chert.arrow.ArrowBatchReader;
import dev.chert.arrow.ArrowSource;
import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import dev.chert.source.TableSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/// Keeps arrow-java out of the classes that every program loads: the verifier would look for it in whichever
/// class hands one of its types on.
final class ArrowBorder {
    private ArrowBorder() {}

    static ArrowReader reader(
            Schema schema, Predicate<Consumer<Batch>> next, Runnable closed, BufferAllocator allocator) {
        return new ArrowBatchReader(schema, next, closed, allocator);
    }

    static TableSource source(ArrowReader reader) {
        return ArrowSource.of(reader);
    }

    static TableSource source(List<VectorSchemaRoot> roots) {
        return ArrowSource.of(roots);
    }
}
