package dev.chert.arrow;

import dev.chert.batch.Schema;
import dev.chert.batch.Step;
import dev.chert.error.TableException;
import dev.chert.error.ValidationException;
import dev.chert.memory.Allocator;
import dev.chert.query.QueryContext;
import dev.chert.source.ColumnPredicate;
import dev.chert.source.LocalReference;
import dev.chert.source.PredicateUse;
import dev.chert.source.Split;
import dev.chert.source.SplitReader;
import dev.chert.source.Statistics;
import dev.chert.source.TableSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;

/// A caller's Arrow data as a source.
///
/// Roots stay the caller's, who must not change or close them while a query reads them; they can be read any
/// number of times. An [ArrowReader] is read once, from where it stands to its end, by one worker at a time, and
/// is not closed.
public sealed interface ArrowSource extends TableSource {
    static ArrowSource of(List<VectorSchemaRoot> roots) {
        if (roots.isEmpty()) {
            throw new ValidationException("no VectorSchemaRoot given: at least one is needed to know the schema");
        }
        org.apache.arrow.vector.types.pojo.Schema first = roots.getFirst().getSchema();
        for (VectorSchemaRoot root : roots) {
            if (!root.getSchema().equals(first)) {
                throw new ValidationException("VectorSchemaRoots of one table need one schema: found "
                        + root.getSchema() + " beside " + first);
            }
        }
        return new Roots(ArrowSchemas.fromArrow(first), LocalReference.to(List.copyOf(roots)));
    }

    static ArrowSource of(ArrowReader reader) {
        try {
            Schema schema = ArrowSchemas.fromArrow(reader.getVectorSchemaRoot().getSchema());
            return new Stream(schema, LocalReference.to(new OneReading(reader, new AtomicBoolean())));
        } catch (IOException e) {
            throw new ValidationException("the ArrowReader gives no schema: " + e.getMessage(), null, e);
        }
    }

    @Override
    default PredicateUse use(ColumnPredicate predicate) {
        return PredicateUse.IGNORED;
    }

    /// Roots in memory; a split a root.
    record Roots(Schema schema, LocalReference<List<VectorSchemaRoot>> roots) implements ArrowSource {
        @Override
        public Statistics statistics() {
            long rows = roots.get().stream()
                    .mapToLong(VectorSchemaRoot::getRowCount)
                    .sum();
            return new Statistics(
                    Statistics.Count.exact(rows),
                    Statistics.unknown(schema.size()).columns());
        }

        @Override
        public String describe() {
            return "Arrow roots=" + roots.get().size();
        }

        @Override
        public SplitList splits(ScanRequest request) {
            List<Split> splits = new ArrayList<>();
            for (int i = 0; i < roots.get().size(); i++) {
                splits.add(new RootSplit(this, i));
            }
            return new SplitList(splits, splits.size());
        }
    }

    /// One root.
    record RootSplit(Roots source, int index) implements Split {
        @Override
        public SplitReader open(ScanRequest request, QueryContext query, Allocator allocator) {
            VectorImporter importer = new VectorImporter(source.schema(), allocator);
            return new RootReader(importer, root(), request.columns(), query.batchSize());
        }

        private VectorSchemaRoot root() {
            return source.roots().get().get(index);
        }

        @Override
        public long rowCount() {
            return root().getRowCount();
        }
    }

    /// A reader and whether a query has begun to read it.
    record OneReading(ArrowReader reader, AtomicBoolean begun) {}

    /// A stream of batches; one split.
    record Stream(Schema schema, LocalReference<OneReading> reading) implements ArrowSource, Split {
        @Override
        public Statistics statistics() {
            return Statistics.unknown(schema.size());
        }

        @Override
        public String describe() {
            return "ArrowReader";
        }

        @Override
        public SplitList splits(ScanRequest request) {
            return new SplitList(List.of(this), 1);
        }

        @Override
        public SplitReader open(ScanRequest request, QueryContext query, Allocator allocator) {
            if (reading.get().begun().getAndSet(true)) {
                throw new TableException(
                        "an ArrowReader can be read once, and a query has begun to: give its batches as"
                                + " VectorSchemaRoots, or copy it with CREATE TABLE ... AS SELECT");
            }
            VectorImporter importer = new VectorImporter(schema, allocator);
            return new StreamReader(importer, reading.get().reader(), request.columns(), query.batchSize());
        }

        @Override
        public long rowCount() {
            return -1;
        }
    }

    /// Reads ranges of one root.
    final class RootReader implements SplitReader {
        private final VectorImporter importer;
        private final VectorSchemaRoot root;
        private final List<Integer> columns;
        private final int batchSize;
        private int nextRow;

        RootReader(VectorImporter importer, VectorSchemaRoot root, List<Integer> columns, int batchSize) {
            this.importer = importer;
            this.root = root;
            this.columns = columns;
            this.batchSize = batchSize;
        }

        @Override
        public Step next() {
            int count = Math.min(batchSize, root.getRowCount() - nextRow);
            if (count <= 0) {
                return Step.END;
            }
            nextRow += count;
            return importer.read(root, columns, nextRow - count, count);
        }

        @Override
        public void close() {
            // the root is the caller's
        }
    }

    /// Reads the batches of a reader, each as a root.
    final class StreamReader implements SplitReader {
        private final VectorImporter importer;
        private final ArrowReader reader;
        private final List<Integer> columns;
        private final int batchSize;
        private RootReader current;

        StreamReader(VectorImporter importer, ArrowReader reader, List<Integer> columns, int batchSize) {
            this.importer = importer;
            this.reader = reader;
            this.columns = columns;
            this.batchSize = batchSize;
        }

        @Override
        public Step next() {
            try {
                while (true) {
                    Step step = current == null ? Step.END : current.next();
                    if (!(step instanceof Step.End)) {
                        return step;
                    }
                    if (!reader.loadNextBatch()) {
                        return Step.END;
                    }
                    current = new RootReader(importer, reader.getVectorSchemaRoot(), columns, batchSize);
                }
            } catch (IOException e) {
                throw new ValidationException("the ArrowReader failed: " + e.getMessage(), null, e);
            }
        }

        @Override
        public void close() {
            // the reader is the caller's
        }
    }
}
