package dev.chert.formats.parquet;

import dev.chert.batch.DataType;
import dev.chert.batch.ScalarType;
import dev.chert.expression.Expression.Literal;
import dev.chert.source.FileSystem;
import dev.chert.source.Statistics;
import dev.chert.source.Statistics.ColumnStatistics;
import dev.chert.source.Statistics.Count;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/// Adds up the statistics of all row groups of a source.
///
/// Row counts are exact. A bound is known where each row group with values has it. Where the footers give
/// distinct counts a row group, the whole column has between the largest of them and their sum; the estimate
/// assumes the largest where row groups have values in common (their bounds overlap) and the sum where they have
/// not.
final class FooterStatistics {
    private final DataType type;
    private Comparable<?> minimum;
    private Comparable<?> maximum;
    private boolean boundsKnown = true;
    private boolean boundsExact = true;
    private long nullCount;
    private boolean nullsKnown = true;
    private long largestDistinct;
    private long sumDistinct;
    private boolean distinctKnown = true;
    private Comparable<?> lastMaximum;
    private boolean isDisjoint = true;

    private FooterStatistics(DataType type) {
        this.type = type;
    }

    static Statistics of(ParquetSource source) {
        List<FooterStatistics> columns = new ArrayList<>();
        source.schema().fields().forEach(field -> columns.add(new FooterStatistics(field.type())));
        long rows = 0;
        for (FileSystem.FileEntry file : source.files()) {
            Footer footer = FooterCache.get(source.fileSystem(), file);
            rows += footer.rowCount();
            for (int i = 0; i < columns.size(); i++) {
                ParquetColumn column =
                        ParquetSource.columnOf(footer, source.schema().field(i).name());
                for (RowGroup rowGroup : footer.rowGroups()) {
                    columns.get(i).add(column, rowGroup);
                }
            }
        }
        long rowCount = rows;
        return new Statistics(
                Count.exact(rowCount),
                columns.stream().map(column -> column.result(rowCount)).toList());
    }

    private void add(ParquetColumn column, RowGroup rowGroup) {
        if (rowGroup.numRows() == 0) {
            return;
        }
        ChunkStatistics statistics = column == null || column.form() == null
                ? ChunkStatistics.UNKNOWN
                : rowGroup.columns().get(column.leaf()).statistics();
        if (column == null || column.nullable()) { // a required column has no NULL, whatever the statistics say
            nullsKnown &= statistics.nullCount() >= 0;
            nullCount += Math.max(0, statistics.nullCount());
            if (statistics.nullCount() == rowGroup.numRows()) {
                return; // no values: no bounds, none missing
            }
        }
        distinctKnown &= statistics.distinctCount() >= 0;
        largestDistinct = Math.max(largestDistinct, statistics.distinctCount());
        sumDistinct += Math.max(0, statistics.distinctCount());
        boundsKnown &= statistics.minimum() != null;
        if (!boundsKnown) {
            return;
        }
        boundsExact &= statistics.boundsExact();
        isDisjoint &= lastMaximum == null || StatisticsReader.compare(lastMaximum, statistics.minimum()) <= 0;
        lastMaximum = statistics.maximum();
        if (minimum == null || StatisticsReader.compare(statistics.minimum(), minimum) < 0) {
            minimum = statistics.minimum();
        }
        if (maximum == null || StatisticsReader.compare(statistics.maximum(), maximum) > 0) {
            maximum = statistics.maximum();
        }
    }

    private ColumnStatistics result(long rows) {
        Literal low = boundsKnown && minimum != null ? literal(minimum) : null;
        // NaN, which no bound counts, is above every maximum
        Literal high = boundsKnown && maximum != null && !type.kind().isFloating() ? literal(maximum) : null;
        return new ColumnStatistics(
                low,
                high,
                boundsExact && low != null && high != null,
                nullsKnown ? Count.exact(nullCount) : Count.UNKNOWN,
                distinctCount(rows));
    }

    /// At most a value a row, and as many whole numbers or days as lie within the bounds.
    private Count distinctCount(long rows) {
        double most = nullsKnown ? rows - nullCount : rows;
        boolean isDiscrete = false;
        if (boundsKnown && minimum instanceof Long low && maximum instanceof Long high) {
            most = Math.min(most, (double) high - low + 1);
            isDiscrete = true;
        } else if (boundsKnown && minimum instanceof Boolean low && maximum instanceof Boolean high) {
            most = Math.min(most, low.equals(high) ? 1 : 2);
            isDiscrete = true;
        }
        if (distinctKnown) {
            return Count.estimated(Math.min(most, boundsKnown && isDisjoint ? sumDistinct : largestDistinct));
        }
        return isDiscrete ? Count.estimated(most) : Count.UNKNOWN;
    }

    /// A bound as a literal of the column's type, or null where it has none (a string cut within a character).
    private Literal literal(Comparable<?> bound) {
        Serializable value;
        if (!(bound instanceof Bytes(byte[] bytes))) {
            value = (Serializable) bound;
        } else if (type.equals(ScalarType.VARCHAR)) {
            try {
                value = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes))
                        .toString();
            } catch (CharacterCodingException e) {
                return null;
            }
        } else if (type.equals(ScalarType.UUID)) {
            ByteBuffer halves = ByteBuffer.wrap(bytes);
            value = new UUID(halves.getLong(), halves.getLong());
        } else {
            value = HexFormat.of().formatHex(bytes);
        }
        return new Literal(value, type);
    }
}
