package dev.chert.formats.parquet;

import dev.chert.batch.Bitmap;
import dev.chert.batch.Column;
import dev.chert.batch.Layouts;
import dev.chert.batch.Physical;
import dev.chert.memory.Buffer;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Reads a flat column chunk into columns of as many rows as are asked for, whatever its pages hold.
///
/// Where all pages of a column's rows have codes, the column leaves as a dictionary column over one shared
/// [Column] of values a chunk; where the writer gave up on its dictionary, flat. A PLAIN page whose values are
/// the column's already is handed on without a copy, its buffer as owner, as are the bytes of all strings.
/// Memory: what the [PageReader] holds, and what columns keep.
final class ChunkReader {
    /// A dictionary of numbers with more values costs its consumers more than it saves.
    private static final int MOST_NUMBERS = 4_096;

    private final ParquetColumn column;
    private final PageReader pages;
    private final SplitContext context;
    private final int valueBytes;

    /// @param pages of the chunk; given: closed with this reader
    ChunkReader(ParquetColumn column, PageReader pages, SplitContext context) {
        this.column = column;
        this.pages = pages;
        this.context = context;
        this.valueBytes = column.form().physical().byteWidth();
    }

    /// Pages whose values were read, dictionaries included.
    long pagesRead() {
        return pages.pagesRead();
    }

    long bytesRead() {
        return pages.bytesRead();
    }

    /// Reads the next rows, of which the chunk has at least `rows`.
    ///
    /// @return the caller's
    Column read(int rows) {
        DataPage page = pages.page();
        if (page.rowsLeft() >= rows
                && column.form().isPlainColumn()
                && page.values() instanceof ValueDecoder.PlainFixed plain
                && (page.levels() == null || page.levels().skipOnes(rows))) {
            MemorySegment slice = plain.take(rows).bytes();
            page.advance(rows);
            page.owner().retain();
            return Column.flat(column.type(), column.form().physical(), rows, slice, null, null, null, page.owner());
        }
        Output output = new Output(rows);
        int row = 0;
        while (row < rows) {
            page = pages.page();
            int count = Math.min(rows - row, page.rowsLeft());
            output.append(page, row, count);
            page.advance(count);
            row += count;
        }
        return output.seal();
    }

    /// Gives back all memory that no column keeps; a second call does nothing.
    void close() {
        pages.close();
    }

    /// The rows of one column while pages are added.
    private final class Output {
        private final int rows;
        private Buffer valueBuffer; // made when the first page with values comes, or the last has come
        private Buffer codeBuffer; // null once values are written
        private Buffer validity; // null while no row can be NULL
        private int nulls;
        private final List<Counted> owners = new ArrayList<>(4);

        Output(int rows) {
            this.rows = rows;
        }

        void append(DataPage page, int row, int count) {
            HybridDecoder levels = page.levels();
            int valid = count;
            if (levels != null && !levels.skipOnes(count)) {
                valid = levels.bits(validity(row), row, count);
            } else if (validity != null) {
                BitRange.fill(validity.segment(), row, count);
            }
            nulls += count - valid;
            if (page.codes() != null && valueBuffer == null && canKeep(pages.dictionary())) {
                if (codeBuffer == null) {
                    codeBuffer = context.allocator().allocate(Layouts.padded((long) rows * Integer.BYTES));
                }
                MemorySegment target = codeBuffer.segment().asSlice((long) row * Integer.BYTES);
                decodeCodes(page, target, valid);
                if (valid < count) {
                    Rows.spread(target, Integer.BYTES, validity.segment(), row, count, valid);
                }
            } else {
                appendValues(page, row, count, valid);
            }
        }

        private boolean canKeep(Column dictionary) {
            return context.keepDictionaries()
                    && dictionary != null
                    && dictionary.rowCount() > 0
                    && (dictionary.physical() == Physical.VIEW || dictionary.rowCount() <= MOST_NUMBERS);
        }

        private void appendValues(DataPage page, int row, int count, int valid) {
            MemorySegment target = values(row);
            if (page.codes() != null) {
                if (valid > 0) {
                    MemorySegment scratch = context.scratchCodes().segment();
                    decodeCodes(page, scratch, valid);
                    gather(scratch, target, row, valid);
                }
            } else if (valid > 0) {
                page.values().decode(target, row, valid);
                if (column.form().physical() == Physical.VIEW) {
                    keep(page.owner());
                }
            }
            if (valid < count) {
                if (column.form().physical() == Physical.BIT) {
                    Rows.spreadBits(target, row, validity.segment(), count, valid);
                } else {
                    Rows.spread(
                            target.asSlice((long) row * valueBytes), valueBytes, validity.segment(), row, count, valid);
                }
            }
        }

        /// The column's values; made on the first call, with what has come as codes so far.
        private MemorySegment values(int rowsSoFar) {
            if (valueBuffer == null) {
                long bytes = Layouts.padded(column.form().physical().bytesFor(rows));
                valueBuffer = column.form().physical() == Physical.BIT
                        ? context.allocator().allocateZeroed(bytes)
                        : context.allocator().allocate(bytes);
                if (codeBuffer != null) {
                    gather(codeBuffer.segment(), valueBuffer.segment(), 0, rowsSoFar);
                    if (validity != null && column.form().physical() == Physical.VIEW) {
                        Rows.clearViews(valueBuffer.segment(), validity.segment(), rowsSoFar);
                    }
                    codeBuffer.release();
                    codeBuffer = null;
                }
            }
            return valueBuffer.segment();
        }

        private void gather(MemorySegment from, MemorySegment target, int row, int count) {
            Column dictionary = pages.dictionary();
            Rows.gather(
                    from,
                    dictionary.values(),
                    valueBytes,
                    target.asSlice((long) row * valueBytes, (long) count * valueBytes),
                    count);
            if (dictionary.physical() == Physical.VIEW) {
                keep(dictionary);
            }
        }

        private void keep(Counted owner) {
            if (!owners.contains(owner)) {
                owner.retain();
                owners.add(owner);
            }
        }

        /// The validity, made when the first NULL may come: the rows before are all valid.
        private MemorySegment validity(int rowsSoFar) {
            if (validity == null) {
                validity = context.allocator().allocateZeroed(Bitmap.paddedBytes(rows));
                BitRange.fill(validity.segment(), 0, rowsSoFar);
            }
            return validity.segment();
        }

        Column seal() {
            MemorySegment validBits = null;
            if (validity != null && nulls == 0) {
                validity.release();
            } else if (validity != null) {
                owners.add(validity);
                validBits = validity.segment();
            }
            if (codeBuffer != null) {
                owners.add(codeBuffer);
                Column dictionary = pages.dictionary();
                dictionary.retain();
                return Column.dictionary(
                        rows, codeBuffer.segment(), validBits, dictionary, owners.toArray(Counted[]::new));
            }
            owners.add(valueBuffer);
            return Column.flat(
                    column.type(),
                    column.form().physical(),
                    rows,
                    valueBuffer.segment(),
                    validBits,
                    null,
                    slabs(),
                    owners.toArray(Counted[]::new));
        }
    }

    private MemorySegment[] slabs() {
        return column.form().physical() == Physical.VIEW
                ? context.allocator().account().manager().slabs()
                : null;
    }

    /// Writes the codes of the next `count` values, checked against the dictionary.
    private void decodeCodes(DataPage page, MemorySegment target, int count) {
        if (count == 0) {
            return;
        }
        page.codes().ints(target, count);
        long largest = Rows.largestCode(target, count);
        Column dictionary = pages.dictionary();
        int size = dictionary == null ? 0 : dictionary.rowCount();
        if (largest >= size) {
            throw page.location().corrupt("it refers to value %d of a dictionary of %d values", largest, size);
        }
    }
}
