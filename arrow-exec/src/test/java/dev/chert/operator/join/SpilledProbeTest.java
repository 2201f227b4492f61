package dev.chert.operator.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.arrow.SpilledBatches;
import dev.chert.batch.Batch;
import dev.chert.batch.ScalarType;
import dev.chert.batch.Schema;
import dev.chert.error.ResourceException;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.SpillBlock;
import dev.chert.memory.SpillFile;
import dev.chert.operator.TestQuery;
import dev.chert.operator.TestRows;
import dev.chert.plan.JoinKind;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SpilledProbeTest {
    private static final JoinCase JOIN = new JoinCase(JoinKind.MARK, List.of(ScalarType.BIGINT), true, 1);
    private static final Schema SCHEMA = JoinCase.schema(JOIN.keys(), "l");

    @Test
    void keepsItsRowsWhenTheDiskIsFullForAWhile() {
        try (TestQuery query = TestQuery.thatSpills(1000, 16 << 20, false, 245 << 10)) {
            Random random = new Random(1);
            List<List<Object>> rows = new ArrayList<>();
            for (int i = 0; i < 4000; i++) {
                rows.add(List.of(random.nextLong(), random.nextLong()));
            }
            SpillFile others = query.context().memory().allocator("Sort 7").spillFile();
            SpillBlock block = fill(others, 200 << 10, query.input(), random);
            SpilledProbe probe = probe(query);
            for (int from = 0; from < rows.size(); from += 1000) {
                probe.takeAll(TestRows.batch(SCHEMA, rows.subList(from, from + 1000), query.input(), null));
            }
            for (int attempt = 0; attempt < 2; attempt++) {
                assertThatThrownBy(() -> probe.spill(1))
                        .isInstanceOf(ResourceException.class)
                        .hasMessageContaining("spill.limit");
            }
            others.free(block);
            probe.finish();
            assertThat(TestRows.count(read(probe))).isEqualTo(TestRows.count(rows));
            probe.release();
        }
    }

    private static SpilledProbe probe(TestQuery query) {
        JoinShape shape = new JoinShape(JoinCase.node(SCHEMA, SCHEMA, JOIN));
        Allocator allocator = query.context().memory().allocator("HashJoin 1");
        JoinTable table = new JoinTable(shape.layout(), 1, allocator, query.context()::checkCancelled);
        SpilledProbe probe = new SpilledProbe(shape, table, query.context(), allocator);
        table.release();
        return probe;
    }

    /// Writes bytes that no codec makes fewer.
    private static SpillBlock fill(SpillFile file, int size, Allocator allocator, Random random) {
        Buffer bytes = allocator.allocate(size);
        for (int i = 0; i < size; i++) {
            bytes.segment().set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
        }
        SpillBlock block = file.write(bytes.segment());
        bytes.release();
        return block;
    }

    private static List<List<Object>> read(SpilledProbe probe) {
        List<List<Object>> rows = new ArrayList<>();
        for (int p = 0; p < JoinTable.PARTITIONS; p++) {
            for (SpilledBatches batches : probe.takeSpilled(p)) {
                SpilledBatches.Reader reader = batches.drain();
                for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
                    rows.addAll(TestRows.read(batch));
                    batch.close();
                }
            }
        }
        return rows;
    }
}
