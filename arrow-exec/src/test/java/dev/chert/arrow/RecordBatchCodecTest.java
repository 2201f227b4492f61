package dev.chert.arrow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chert.batch.ArrayType;
import dev.chert.batch.Batch;
import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.Field;
import dev.chert.batch.Layouts;
import dev.chert.batch.MapType;
import dev.chert.batch.Physical;
import dev.chert.batch.RowType;
import dev.chert.batch.ScalarType;
import dev.chert.batch.SelectionPool;
import dev.chert.batch.TestColumns;
import dev.chert.error.ChertException;
import dev.chert.error.CorruptFileException;
import dev.chert.error.TableException;
import dev.chert.memory.Account;
import dev.chert.memory.Allocator;
import dev.chert.memory.Buffer;
import dev.chert.memory.MemoryManager;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordBatchCodecTest {
    private final MemoryManager memory = new MemoryManager(256 << 20, true);
    private final Account account = memory.openAccount("codec", Long.MAX_VALUE);
    private final Allocator allocator = account.allocator("codec");
    private final SelectionPool selections = new SelectionPool(4096);

    @AfterEach
    void nothingIsLeft() {
        assertThat(account.liveBuffers()).isZero();
        account.close();
        memory.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 65, 1023, 1024, 1025, 4096})
    void everyTypeAndFormComesBack(int rows) {
        for (long seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            Batch batch = batch(TestColumns.SCALAR_TYPES, rows, random, (int) seed * 3);
            if (seed % 2 == 1) {
                selectSome(batch, random);
            }
            List<List<Object>> expected = read(batch);
            RecordBatchEncoder encoder = new RecordBatchEncoder(TestColumns.SCALAR_TYPES);
            encoder.begin(batch);
            Batch back = decode(TestColumns.SCALAR_TYPES, message(encoder, 0, batch.selectedRows()));
            assertThat(read(back)).as("seed %d", seed).isEqualTo(expected);
            back.close();
            batch.close();
        }
    }

    @Test
    void rowsOfManyBatchesAreGatheredIntoMessagesOfASize() {
        Random random = new Random(7);
        List<DataType> types = TestColumns.SCALAR_TYPES;
        Batch[] sources = new Batch[5];
        List<List<List<Object>>> values = new ArrayList<>();
        for (int s = 0; s < sources.length; s++) {
            sources[s] = batch(types, 500, random, 5);
            values.add(read(sources[s]));
        }
        int[] sourceOf = new int[3000];
        int[] rowOf = new int[3000];
        List<List<Object>> expected = new ArrayList<>();
        for (int i = 0; i < sourceOf.length; i++) {
            sourceOf[i] = 1 + random.nextInt(4); // the first is touched by no row
            rowOf[i] = random.nextInt(500);
            expected.add(values.get(sourceOf[i]).get(rowOf[i]));
        }
        RecordBatchEncoder encoder = new RecordBatchEncoder(types);
        encoder.begin(sources, sourceOf, rowOf, sourceOf.length);
        List<List<Object>> given = new ArrayList<>();
        int messages = 0;
        for (int from = 0; from < sourceOf.length; messages++) {
            int count = encoder.fitting(from, sourceOf.length, 32 << 10);
            Buffer message = message(encoder, from, from + count);
            assertThat(message.size()).isLessThanOrEqualTo(32 << 10);
            Batch back = decode(types, message);
            given.addAll(read(back));
            back.close();
            from += count;
        }
        assertThat(given).isEqualTo(expected);
        assertThat(messages).isBetween(5, 50);
        for (Batch source : sources) {
            source.close();
        }
    }

    @Test
    void aRowLargerThanTheWantedSizeIsAMessageOfItsOwn() {
        String large = "large".repeat(10_000);
        Batch batch = new Batch(
                new Column[] {TestColumns.flat(ScalarType.VARCHAR, List.of("small", large, large), allocator)}, 3);
        RecordBatchEncoder encoder = new RecordBatchEncoder(List.of(ScalarType.VARCHAR));
        encoder.begin(batch);
        assertThat(encoder.fitting(0, 3, 1024)).isEqualTo(1);
        assertThat(encoder.fitting(1, 3, 1024)).isEqualTo(1);
        assertThat(encoder.bytesFor(1, 2)).isGreaterThan(50_000);
        Batch back = decode(List.of(ScalarType.VARCHAR), message(encoder, 1, 2));
        assertThat(TestColumns.read(back.column(0))).containsExactly(large);
        back.close();
        batch.close();
    }

    @Test
    void aBatchWithoutColumnsKeepsItsRows() {
        Batch batch = new Batch(new Column[0], 17);
        RecordBatchEncoder encoder = new RecordBatchEncoder(List.of());
        encoder.begin(batch);
        assertThat(encoder.fitting(0, 17, 1 << 20)).isEqualTo(17);
        Batch back = decode(List.of(), message(encoder, 0, 17));
        assertThat(back.rowCount()).isEqualTo(17);
        back.close();
    }

    @Test
    void nestedColumnsComeBack() {
        DataType list = new ArrayType(new Field("item", ScalarType.VARCHAR, true));
        DataType map = new MapType(ScalarType.INTEGER, new Field("value", list, true));
        DataType row = new RowType(List.of(new Field("l", list, true), new Field("b", ScalarType.BOOLEAN, true)));
        List<DataType> types = List.of(list, map, row);
        int rows = 60;
        Random random = new Random(3);
        Batch batch = new Batch(
                new Column[] {nested(list, rows, random), nested(map, rows, random), nested(row, rows, random)}, rows);
        selectSome(batch, random);
        List<List<Object>> expected = readNested(batch);
        RecordBatchEncoder encoder = new RecordBatchEncoder(types);
        encoder.begin(batch);
        List<List<Object>> given = new ArrayList<>();
        for (int from = 0; from < batch.selectedRows(); ) {
            int count = encoder.fitting(from, batch.selectedRows(), 4096);
            Batch back = decode(types, message(encoder, from, from + count));
            given.addAll(readNested(back));
            back.close();
            from += count;
        }
        assertThat(given).isEqualTo(expected);
        batch.close();
    }

    @Test
    void nullRowsHaveRoomForTheirChildren() {
        Field number = new Field("n", ScalarType.BIGINT, true);
        DataType row = new RowType(List.of(number, number, number, number, number));
        Batch batch = new Batch(new Column[] {nullRows(row, 4096, false)}, 4096);
        RecordBatchEncoder encoder = new RecordBatchEncoder(List.of(row));
        encoder.begin(batch);
        assertThat(encoder.bytesFor(0, 4096)).isGreaterThan(4096 * 5 * 8);
        assertThat(encoder.fitting(0, 4096, 16 << 10)).isLessThan(500);
        Batch back = decode(List.of(row), message(encoder, 0, 4096));
        assertThat(readNested(back)).isEqualTo(readNested(batch));
        back.close();
        batch.close();
    }

    @Test
    void narrowDecimalChildrenHaveRoomToBecomeWide() {
        DataType row = new RowType(List.of(new Field("d", ScalarType.decimal(38, 0), true)));
        Batch narrow = new Batch(new Column[] {nullRows(row, 4096, false)}, 4096);
        Batch wide = new Batch(new Column[] {nullRows(row, 1, true)}, 1);
        int[] sourceOf = new int[4097];
        int[] rowOf = new int[4097];
        sourceOf[4096] = 1;
        for (int i = 0; i < 4096; i++) {
            rowOf[i] = i;
        }
        RecordBatchEncoder encoder = new RecordBatchEncoder(List.of(row));
        encoder.begin(new Batch[] {narrow, wide}, sourceOf, rowOf, 4097);
        Batch back = decode(List.of(row), message(encoder, 0, 4097));
        assertThat(back.rowCount()).isEqualTo(4097);
        back.close();
        narrow.close();
        wide.close();
    }

    /// A column of ROWs that are all NULL, of which the children have values.
    private Column nullRows(DataType type, int rows, boolean wide) {
        Buffer validity = allocator.allocate(Bitmap.paddedBytes(rows));
        validity.segment().fill((byte) 0);
        Column[] children = RecordBatchEncoder.childTypes(type).stream()
                .map(child -> TestColumns.flat(
                        child, Collections.nCopies(rows, BigInteger.valueOf(1_000_000_007)), wide, allocator))
                .toArray(Column[]::new);
        return Column.flat(type, type.physical(), rows, null, validity.segment(), children, null, validity);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64, 1025})
    void arrowJavaReadsTheMessages(int rows) throws Exception {
        Map<String, DataType> types = new LinkedHashMap<>();
        for (DataType type : TestColumns.SCALAR_TYPES) {
            types.put("c" + types.size(), type);
        }
        Random random = new Random(rows);
        Batch batch = batch(TestColumns.SCALAR_TYPES, rows, random, 4);
        List<List<Object>> expected = read(batch);
        RecordBatchEncoder encoder = new RecordBatchEncoder(TestColumns.SCALAR_TYPES);
        encoder.begin(batch);
        Buffer buffer = message(encoder, 0, rows);
        byte[] bytes = buffer.segment().toArray(Layouts.BYTE);
        boolean[] wide = new boolean[types.size()];
        Batch decoded = decode(TestColumns.SCALAR_TYPES, buffer);
        for (int c = 0; c < wide.length; c++) {
            wide[c] = decoded.column(c).physical() == Physical.INT128;
        }
        decoded.close();
        batch.close();
        int metadataBytes =
                ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt(4);
        assertThat((8 + metadataBytes) % 8).isZero();
        Message message = Message.getRootAsMessage(ByteBuffer.wrap(bytes, 8, metadataBytes));
        RecordBatch header = (RecordBatch) message.header(new RecordBatch());
        assertThat(8 + metadataBytes + message.bodyLength()).isEqualTo(bytes.length);
        List<org.apache.arrow.vector.types.pojo.Field> fields = new ArrayList<>();
        types.forEach((name, type) -> fields.add(new org.apache.arrow.vector.types.pojo.Field(
                name, FieldType.nullable(arrowType((ScalarType) type, wide[fields.size()])), null)));
        try (RootAllocator arrow = new RootAllocator();
                VectorSchemaRoot root =
                        VectorSchemaRoot.create(new org.apache.arrow.vector.types.pojo.Schema(fields), arrow)) {
            ArrowBuf body = arrow.buffer(Math.max(1, message.bodyLength()));
            body.setBytes(0, bytes, 8 + metadataBytes, (int) message.bodyLength());
            body.writerIndex(message.bodyLength());
            try (ArrowRecordBatch arrowBatch = MessageSerializer.deserializeRecordBatch(header, body)) {
                new VectorLoader(root).load(arrowBatch);
            }
            assertThat(root.getRowCount()).isEqualTo(rows);
            for (int row = 0; row < rows; row++) {
                for (int c = 0; c < fields.size(); c++) {
                    assertThat(asTestValue(root.getVector(c), row, TestColumns.SCALAR_TYPES.get(c)))
                            .as("row %d, %s", row, fields.get(c))
                            .isEqualTo(expected.get(row).get(c));
                }
            }
        }
    }

    /// Bytes changed at random give an error of ours or values, and leave no memory behind once the query ends.
    @Test
    void aDamagedMessageGivesAnErrorOfOursOrValues() {
        List<DataType> types = new ArrayList<>(TestColumns.SCALAR_TYPES);
        types.add(new ArrayType(new Field("item", ScalarType.VARCHAR, true)));
        types.add(new MapType(ScalarType.INTEGER, new Field("value", ScalarType.BIGINT, true)));
        Random random = new Random(11);
        List<Column> columns = new ArrayList<>();
        for (DataType type : types) {
            columns.add(
                    type instanceof ScalarType
                            ? TestColumns.flat(type, TestColumns.randomValues(type, random, 20, 9, 4), allocator)
                            : nested(type, 20, random));
        }
        Batch batch = new Batch(columns.toArray(Column[]::new), 20);
        RecordBatchEncoder encoder = new RecordBatchEncoder(types);
        encoder.begin(batch);
        Buffer sound = message(encoder, 0, 20);
        int refused = 0;
        for (int round = 0; round < 5000; round++) {
            try (Account damaged = memory.openAccount("damaged", Long.MAX_VALUE)) {
                int length = round % 5 == 0 ? random.nextInt((int) sound.size()) : (int) sound.size();
                Buffer copy = damaged.allocator("codec").allocate(length);
                MemorySegment.copy(sound.segment(), 0, copy.segment(), 0, length);
                if (length == sound.size()) {
                    int inMetadata = random.nextInt(1200);
                    long at = round % 2 == 0 ? inMetadata : random.nextInt(length);
                    copy.segment().set(Layouts.BYTE, at, (byte) random.nextInt());
                }
                try (Batch back =
                        new RecordBatchDecoder(types, damaged.allocator("codec"), "f.arrow").decode(copy, 0)) {
                    readNested(back);
                } catch (ChertException e) {
                    refused++;
                    assertThat(e).isInstanceOfAny(CorruptFileException.class, TableException.class);
                }
            }
        }
        assertThat(refused).isGreaterThan(1000);
        sound.release();
        batch.close();
    }

    @Test
    void anErrorSaysWhereAndWhatWasExpected() {
        Batch batch = new Batch(new Column[] {TestColumns.flat(ScalarType.INTEGER, List.of(1L, 2L), allocator)}, 2);
        RecordBatchEncoder encoder = new RecordBatchEncoder(List.of(ScalarType.INTEGER));
        encoder.begin(batch);
        try (Account account = memory.openAccount("damaged", Long.MAX_VALUE)) {
            Allocator own = account.allocator("codec");
            Buffer message = own.allocate(encoder.bytesFor(0, 2));
            encoder.encode(0, 2, message.segment());
            assertThatThrownBy(() ->
                            new RecordBatchDecoder(List.of(ScalarType.BIGINT), own, "f.arrow").decode(message, 77))
                    .hasMessage("f.arrow, record batch at byte 77: buffer 1 of type BIGINT has 8 bytes, needs 16");
        }
        batch.close();
    }

    /// The command line never loads arrow-java, and spills all the same.
    @Test
    void theCodecKnowsNothingOfArrowJava() throws Exception {
        for (Class<?> type : List.of(
                RecordBatchEncoder.class,
                RecordBatchDecoder.class,
                RecordBatchMetadata.class,
                FlatTable.class,
                MessagePlace.class,
                SpilledBatches.class)) {
            try (var bytes = type.getResourceAsStream(type.getSimpleName() + ".class")) {
                for (var entry : ClassFile.of().parse(bytes.readAllBytes()).constantPool()) {
                    if (entry instanceof ClassEntry named) {
                        assertThat(named.asInternalName()).doesNotStartWith("org/apache/arrow");
                    }
                }
            }
        }
    }

    private Batch batch(List<DataType> types, int rows, Random random, int nullEvery) {
        Column[] columns = new Column[types.size()];
        for (int c = 0; c < columns.length; c++) {
            List<Object> values = TestColumns.randomValues(types.get(c), random, rows, 40, nullEvery);
            boolean flat = rows == 0 || types.get(c).physical() == Physical.NONE;
            columns[c] = flat
                    ? TestColumns.flat(types.get(c), values, allocator)
                    : TestColumns.anyForm(types.get(c), values, random, allocator);
        }
        return new Batch(columns, rows);
    }

    private void selectSome(Batch batch, Random random) {
        int[] selection = selections.take(batch.rowCount());
        int count = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
            if (random.nextInt(3) > 0) {
                selection[count++] = row;
            }
        }
        batch.select(selection, count, selections);
    }

    private Buffer message(RecordBatchEncoder encoder, int from, int to) {
        long most = encoder.bytesFor(from, to);
        Buffer room = allocator.allocate(most);
        long bytes = encoder.encode(from, to, room.segment());
        assertThat(bytes).isLessThanOrEqualTo(most);
        Buffer message = allocator.allocate(bytes);
        MemorySegment.copy(room.segment(), 0, message.segment(), 0, bytes);
        room.release();
        return message;
    }

    private Batch decode(List<DataType> types, Buffer message) {
        return new RecordBatchDecoder(types, allocator, "a test").decode(message, 0);
    }

    private static List<List<Object>> read(Batch batch) {
        return read(batch, false);
    }

    private static List<List<Object>> readNested(Batch batch) {
        return read(batch, true);
    }

    private static List<List<Object>> read(Batch batch, boolean nested) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < batch.selectedRows(); i++) {
            int row = batch.selection() == null ? i : batch.selection()[i];
            List<Object> values = new ArrayList<>();
            batch.columns()
                    .forEach(column -> values.add(nested ? nestedValue(column, row) : TestColumns.read(column, row)));
            rows.add(values);
        }
        return rows;
    }

    private static Object nestedValue(Column column, int row) {
        if (column.isNull(row)) {
            return null;
        }
        return switch (column.physical()) {
            case LIST, MAP -> {
                List<Object> elements = new ArrayList<>();
                int end = column.values().getAtIndex(Layouts.INT, row + 1);
                for (int at = column.values().getAtIndex(Layouts.INT, row); at < end; at++) {
                    int element = at;
                    elements.add(column.children().stream()
                            .map(child -> Arrays.asList(nestedValue(child, element)))
                            .toList());
                }
                yield elements;
            }
            case STRUCT -> {
                List<Object> fields = new ArrayList<>();
                column.children().forEach(child -> fields.add(nestedValue(child, row)));
                yield fields;
            }
            default -> TestColumns.read(column, row);
        };
    }

    /// A flat column of a nested type, its lists of up to three elements.
    private Column nested(DataType type, int rows, Random random) {
        if (type instanceof ScalarType) {
            return TestColumns.flat(type, TestColumns.randomValues(type, random, rows, 9, 4), allocator);
        }
        Buffer validity = allocator.allocate(Bitmap.paddedBytes(rows));
        Bitmap.fillOnes(validity.segment(), rows);
        for (int row = 0; row < rows; row++) {
            Bitmap.put(validity.segment(), row, random.nextInt(5) > 0);
        }
        Column[] children = new Column[RecordBatchEncoder.childTypes(type).size()];
        int elements = rows;
        MemorySegment values = null;
        Buffer offsets = allocator.allocate(Layouts.padded(4L * rows + 4));
        if (type.physical() != Physical.STRUCT) {
            values = offsets.segment();
            int at = 2;
            for (int row = 0; row <= rows; row++) {
                values.setAtIndex(Layouts.INT, row, at);
                at += row < rows ? random.nextInt(4) : 0;
            }
            elements = at;
        }
        for (int c = 0; c < children.length; c++) {
            children[c] = nested(RecordBatchEncoder.childTypes(type).get(c), elements, random);
        }
        return Column.flat(type, type.physical(), rows, values, validity.segment(), children, null, validity, offsets);
    }

    private static ArrowType arrowType(ScalarType type, boolean wide) {
        return switch (type.kind()) {
            case VARCHAR -> ArrowType.Utf8View.INSTANCE;
            case VARBINARY -> ArrowType.BinaryView.INSTANCE;
            case DECIMAL ->
                wide
                        ? new ArrowType.Decimal(type.precision(), type.scale(), 128)
                        : new ArrowType.Int(64, true); // arrow-java has no vector of 64-bit decimals
            default ->
                ArrowSchemas.toArrow(new dev.chert.batch.Schema(List.of(new Field("c", type, true))))
                        .getFields()
                        .getFirst()
                        .getType();
        };
    }

    /// What arrow-java reads, as [TestColumns] says it.
    private static Object asTestValue(FieldVector vector, int row, DataType type) {
        if (vector.isNull(row)) {
            return null;
        }
        Object value = vector.getObject(row);
        return switch (type.kind()) {
            case TIMESTAMP, BIGINT -> vector.getDataBuffer().getLong(8L * row);
            case DECIMAL ->
                value instanceof BigDecimal decimal ? decimal.unscaledValue() : BigInteger.valueOf((Long) value);
            case UUID -> {
                byte[] bytes = (byte[]) value;
                byte[] reversed = new byte[16];
                for (int i = 0; i < 16; i++) {
                    reversed[i] = bytes[15 - i];
                }
                yield new BigInteger(reversed);
            }
            case VARBINARY -> new String((byte[]) value, UTF_8);
            case VARCHAR -> value.toString();
            case TINYINT, SMALLINT, INTEGER, DATE -> ((Number) value).longValue();
            default -> value;
        };
    }
}
