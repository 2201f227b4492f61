package dev.chert.arrow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.Batch;
import dev.chert.batch.Schema;
import dev.chert.error.ChertException;
import dev.chert.memory.Account;
import dev.chert.memory.MemoryManager;
import dev.chert.query.QueryContext;
import dev.chert.query.Settings;
import dev.chert.source.SplitReader;
import dev.chert.source.TableSource.ScanRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeStampMicroVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrowBorderTest {
    private final RootAllocator arrow = new RootAllocator();
    private final MemoryManager memory = new MemoryManager(64 << 20, true);

    @AfterEach
    void nothingIsLeft() {
        memory.close();
        arrow.close();
    }

    @ParameterizedTest
    @CsvSource({"0, 4096", "1, 4096", "63, 7", "64, 64", "65, 1", "1023, 4096", "1025, 1024", "5000, 4096"})
    void everyValueComesInAndGoesOutAgain(int rows, int batchSize) throws IOException {
        Random random = new Random(rows);
        try (VectorSchemaRoot root = root(rows, random)) {
            List<List<Object>> expected = values(root);
            assertThat(throughChert(ArrowSource.of(List.of(root)), batchSize)).isEqualTo(expected);
        }
        assertThat(memory.liveBuffers()).isZero();
    }

    @Test
    void aSourceOverRootsSurvivesSerialisation() throws Exception {
        try (VectorSchemaRoot root = root(10, new Random(1))) {
            ArrowSource source = ArrowSource.of(List.of(root));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(source);
            Object back = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            assertThat(throughChert((ArrowSource) back, 4096)).isEqualTo(values(root));
        }
    }

    @Test
    void aListColumnIsRefusedByName() {
        try (ListVector list = ListVector.empty("tags", arrow);
                VectorSchemaRoot root = new VectorSchemaRoot(List.of(list))) {
            assertThatThrownBy(() -> ArrowSource.of(List.of(root)))
                    .isInstanceOf(ChertException.class)
                    .hasMessageContaining("column tags")
                    .hasMessageContaining("List");
        }
    }

    private List<List<Object>> throughChert(ArrowSource source, int batchSize) throws IOException {
        Settings settings = Settings.defaults().with("execution.batch-size", Integer.toString(batchSize));
        try (Account account = memory.openAccount("query 1", 64 << 20)) {
            QueryContext query = new QueryContext("1", settings, Instant.EPOCH, 1, account);
            Schema schema = source.schema();
            List<Integer> all = IntStream.range(0, schema.size()).boxed().toList();
            ScanRequest request = new ScanRequest(all, List.of());
            SplitReader reader =
                    source.splits(request).splits().getFirst().open(request, query, account.allocator("Scan 0"));
            List<List<Object>> rows = new ArrayList<>();
            try (ArrowBatchReader out =
                    new ArrowBatchReader(schema, show -> showNext(reader, show), reader::close, arrow)) {
                while (out.loadNextBatch()) {
                    assertThat(out.getVectorSchemaRoot().getRowCount()).isLessThanOrEqualTo(batchSize);
                    rows.addAll(values(out.getVectorSchemaRoot()));
                }
            }
            assertThat(account.liveBuffers()).isZero();
            return rows;
        }
    }

    private static boolean showNext(SplitReader reader, Consumer<Batch> show) {
        if (!(reader.next() instanceof Batch batch)) {
            return false;
        }
        show.accept(batch);
        batch.close();
        return true;
    }

    /// Row by row, what arrow-java itself reads, with the few types that widen at the border widened.
    private static List<List<Object>> values(VectorSchemaRoot root) {
        List<List<Object>> rows = new ArrayList<>();
        for (int row = 0; row < root.getRowCount(); row++) {
            List<Object> values = new ArrayList<>();
            for (FieldVector vector : root.getFieldVectors()) {
                Object value = vector.getObject(row);
                values.add(
                        switch (value) {
                            case null -> "NULL";
                            case byte[] bytes -> new String(bytes, UTF_8);
                            case Integer i when vector instanceof UInt4Vector -> Integer.toUnsignedLong(i);
                            case Long l when vector instanceof UInt8Vector -> new BigDecimal(Long.toUnsignedString(l));
                            default ->
                                value instanceof BigDecimal || value instanceof Number ? value : value.toString();
                        });
            }
            rows.add(values);
        }
        return rows;
    }

    private VectorSchemaRoot root(int rows, Random random) {
        BitVector bit = new BitVector("bit", arrow);
        TinyIntVector tiny = new TinyIntVector("tiny", arrow);
        SmallIntVector small = new SmallIntVector("small", arrow);
        IntVector integer = new IntVector("integer", arrow);
        BigIntVector big = new BigIntVector("big", arrow);
        UInt4Vector unsigned = new UInt4Vector("unsigned", arrow);
        UInt8Vector unsignedBig = new UInt8Vector("unsigned_big", arrow);
        Float4Vector real = new Float4Vector("real", arrow);
        Float8Vector floating = new Float8Vector("floating", arrow);
        DecimalVector narrow = new DecimalVector("narrow", arrow, 12, 2);
        DecimalVector wide = new DecimalVector("wide", arrow, 38, 4);
        DateDayVector date = new DateDayVector("date", arrow);
        TimeMilliVector time = new TimeMilliVector("time", arrow);
        TimeStampMicroVector timestamp = new TimeStampMicroVector("timestamp", arrow);
        VarCharVector text = new VarCharVector("text", arrow);
        LargeVarCharVector largeText = new LargeVarCharVector("large_text", arrow);
        VarBinaryVector binary = new VarBinaryVector("binary", arrow);
        FixedSizeBinaryVector fixed = new FixedSizeBinaryVector("fixed", arrow, 4);
        VectorSchemaRoot root = VectorSchemaRoot.of(
                bit,
                tiny,
                small,
                integer,
                big,
                unsigned,
                unsignedBig,
                real,
                floating,
                narrow,
                wide,
                date,
                time,
                timestamp,
                text,
                largeText,
                binary,
                fixed);
        root.allocateNew();
        for (int i = 0; i < rows; i++) {
            int any = random.nextInt();
            String string = "x".repeat(random.nextInt(30)) + any;
            bit.setSafe(i, any & 1);
            tiny.setSafe(i, (byte) any);
            small.setSafe(i, (short) any);
            if (i % 3 != 0) {
                integer.setSafe(i, any);
            }
            big.setSafe(i, random.nextLong());
            unsigned.setSafe(i, any);
            unsignedBig.setSafe(i, random.nextLong());
            real.setSafe(i, random.nextFloat());
            floating.setSafe(i, random.nextDouble());
            narrow.setSafe(i, BigDecimal.valueOf(any, 2));
            if (i % 7 != 1) {
                wide.setSafe(i, BigDecimal.valueOf(random.nextLong(), 4).multiply(BigDecimal.valueOf(1_000_000)));
                text.setSafe(i, string.getBytes(UTF_8));
            }
            date.setSafe(i, any % 100_000);
            time.setSafe(i, Math.floorMod(any, 86_400_000));
            timestamp.setSafe(i, random.nextLong() % 1_000_000_000_000_000L);
            largeText.setSafe(i, string.getBytes(UTF_8));
            binary.setSafe(i, string.getBytes(UTF_8));
            fixed.setSafe(i, String.format("%04d", Math.floorMod(any, 10_000)).getBytes(UTF_8));
        }
        root.setRowCount(rows);
        return root;
    }
}
