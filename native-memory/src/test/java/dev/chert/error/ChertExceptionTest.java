package dev.chert.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class ChertExceptionTest {
    private static final SourcePosition PLACE = new SourcePosition(4, 17, 4, 29);

    @Test
    void messageBeginsWithThePlaceInTheStatement() {
        var error = new ValidationException("SUM overflowed BIGINT; cast the argument to DECIMAL(38, 0)", PLACE);
        assertThat(error).hasMessage("line 4, column 17: SUM overflowed BIGINT; cast the argument to DECIMAL(38, 0)");
        assertThat(error.detail()).isEqualTo("SUM overflowed BIGINT; cast the argument to DECIMAL(38, 0)");
        assertThat(error.position()).contains(PLACE);
    }

    @Test
    void messageWithoutAPlaceIsTheDetail() {
        assertThat(new TableException("PIVOT is not supported")).hasMessage("PIVOT is not supported");
        assertThat(new TableException("PIVOT is not supported").position()).isEmpty();
    }

    @Test
    void corruptFileNamesFileAndPlace() {
        var error = new CorruptFileException(
                "orders.parquet", "row group 3, column l_tax", "holds 32 bytes, 5 values need 40");
        assertThat(error).hasMessage("orders.parquet, row group 3, column l_tax: holds 32 bytes, 5 values need 40");
        assertThat(error.file()).isEqualTo("orders.parquet");
        assertThat(error.place()).isEqualTo("row group 3, column l_tax");
        assertThat(new CorruptFileException("a.parquet", "", "has 3 bytes, a file has at least 12"))
                .hasMessage("a.parquet: has 3 bytes, a file has at least 12");
    }

    @Test
    void aPlaceIsAddedOnceAndKeepsCauseTraceAndSuppressed() {
        var cause = new ArithmeticException("overflow");
        var error = new ValidationException("SUM overflowed BIGINT", null, cause);
        error.addSuppressed(new IllegalStateException("closing"));
        var placed = error.withPosition(PLACE);
        assertThat(placed)
                .hasMessage("line 4, column 17: SUM overflowed BIGINT")
                .hasCause(cause);
        assertThat(placed.getStackTrace()).isEqualTo(error.getStackTrace());
        assertThat(placed.getSuppressed()).isEqualTo(error.getSuppressed());
        assertThat(placed.withPosition(SourcePosition.at(1, 1))).isSameAs(placed);
    }

    @Test
    void errorsOfFilesAndOperatorsTakeNoPlaceInTheStatement() {
        ChertException error = new ResourceException("Sort 2: needs 64 MiB more");
        assertThat(error.withPosition(PLACE)).isSameAs(error);
        ChertException cancelled = new QueryCancelledException("the query was cancelled");
        assertThat(cancelled.withPosition(PLACE)).isSameAs(cancelled);
    }

    @Test
    void isSerialisableWithItsPlace() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ValidationException("no column x", PLACE));
        }
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(((ChertException) in.readObject()).position()).contains(PLACE);
        }
    }

    @Test
    void unionIsTheSmallestStretchAroundBoth() {
        var first = new SourcePosition(2, 9, 3, 4);
        var second = new SourcePosition(2, 3, 2, 20);
        assertThat(first.union(second)).isEqualTo(new SourcePosition(2, 3, 3, 4));
        assertThat(second.union(first)).isEqualTo(new SourcePosition(2, 3, 3, 4));
        assertThat(first.union(first)).isEqualTo(first);
    }

    @Test
    void aStretchThatEndsBeforeItBeginsIsRefused() {
        assertThatThrownBy(() -> new SourcePosition(2, 9, 2, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a stretch of text: line 2, column 9 to line 2, column 8");
        assertThatThrownBy(() -> SourcePosition.at(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
