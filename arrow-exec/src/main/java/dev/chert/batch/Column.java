package dev.chert.batch;

import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The values of one column of a batch: flat, constant or dictionary. Sealed once written, counted, shared
/// freely.
///
/// ```text
/// FLAT        values[row]              validity bit row (absent: no NULLs)
/// CONSTANT    values[0]                validity bit 0   (absent: not NULL)
/// DICTIONARY  dictionary.values[codes[row]], codes are int32 in values; validity bit row, of the row, not the
/// code
/// ```
///
/// The values of a dictionary are a flat column without NULLs, and the code of a NULL row is a valid code, so a
/// loop may read it; a dictionary therefore has at least one value. Consumers may remember what they found out
/// about a dictionary by the identity of its values column. A value under a 0 in the validity is undefined, but
/// may be read; a view there is the empty string.
///
/// Segments are padded to 64 bytes where this engine made them; never read beyond [#rowCount()]. Columns have no
/// row offset: segments are sliced instead.
public final class Column implements Counted {
    /// How the rows of a column find their values.
    public enum Form {
        FLAT,
        CONSTANT,
        DICTIONARY
    }

    private static final MemorySegment EMPTY =
            MemorySegment.ofArray(new long[0]).asReadOnly();
    private static final Column[] NO_CHILDREN = {};

    private final DataType type;
    private final Physical physical;
    private final Form form;
    private final int rowCount;
    private final MemorySegment values;
    private final MemorySegment validity;
    private final Column[] children;
    private final MemorySegment[] slabs;
    private final Counted[] owners;
    private final boolean ownsChildren;
    private final AtomicInteger count = new AtomicInteger(1);

    private Column(
            DataType type,
            Physical physical,
            Form form,
            int rowCount,
            MemorySegment values,
            MemorySegment validity,
            Column[] children,
            MemorySegment[] slabs,
            boolean ownsChildren,
            Counted... owners) {
        this.type = type;
        this.physical = physical;
        this.form = form;
        this.rowCount = rowCount;
        this.values = values;
        this.validity = validity;
        this.children = children;
        this.slabs = slabs;
        this.ownsChildren = ownsChildren;
        this.owners = owners;
    }

    /// Makes a flat column.
    ///
    /// @param physical of `type`, or [Physical#INT64] or [Physical#INT128] of a DECIMAL
    /// @param values   native memory of [Physical#bytesFor(int)] bytes or more; may be null where that is 0
    /// @param validity a bit a row, or null where no row is NULL
    /// @param children given: one count each; empty but for nested types
    /// @param slabs    the slab directory that views point into, else null
    /// @param owners   given: one count each, released with the column: what keeps `values`, `validity` and the
    ///                 places of views alive
    public static Column flat(
            DataType type,
            Physical physical,
            int rowCount,
            MemorySegment values,
            MemorySegment validity,
            Column[] children,
            MemorySegment[] slabs,
            Counted... owners) {
        assert physical != Physical.VIEW || slabs != null;
        return new Column(
                type,
                physical,
                Form.FLAT,
                rowCount,
                values == null ? EMPTY : values,
                validity,
                children == null ? NO_CHILDREN : children,
                slabs,
                true,
                owners);
    }

    /// Makes a column whose every row is row 0 of a flat column.
    ///
    /// @param value given: one count; flat, with at least one row
    public static Column constant(Column value, int rowCount) {
        assert value.form == Form.FLAT && value.rowCount >= 1;
        return new Column(
                value.type,
                value.physical,
                Form.CONSTANT,
                rowCount,
                value.values,
                value.validity,
                value.children,
                value.slabs,
                false,
                value);
    }

    /// Makes a dictionary column.
    ///
    /// @param codes      `rowCount` int32 indexes into `dictionary`, valid also in NULL rows; native memory
    /// @param validity   a bit a row, or null where no row is NULL
    /// @param dictionary given: one count; flat, no NULLs, at least one row
    /// @param owners     given: one count each: what keeps `codes` and `validity` alive
    public static Column dictionary(
            int rowCount, MemorySegment codes, MemorySegment validity, Column dictionary, Counted... owners) {
        assert dictionary.form == Form.FLAT && dictionary.validity == null;
        return new Column(
                dictionary.type,
                dictionary.physical,
                Form.DICTIONARY,
                rowCount,
                codes,
                validity,
                new Column[] {dictionary},
                null,
                true,
                owners);
    }

    /// Returns a column over the same memory under another type of the same physical form, for casts that change
    /// no bit. The result is the caller's and holds a count of its own on this column.
    public Column as(DataType newType) {
        assert form != Form.DICTIONARY;
        retain();
        return new Column(newType, physical, form, rowCount, values, validity, children, slabs, false, this);
    }

    /// A flat column of one row, that of a constant's value or the first of a flat column; the caller's, holding
    /// a count of its own on this one.
    public Column firstRow() {
        assert form != Form.DICTIONARY && rowCount > 0;
        retain();
        return new Column(type, physical, Form.FLAT, 1, values, validity, children, slabs, false, this);
    }

    public DataType type() {
        return type;
    }

    public Physical physical() {
        return physical;
    }

    public Form form() {
        return form;
    }

    public boolean isFlat() {
        return form == Form.FLAT;
    }

    public boolean isConstant() {
        return form == Form.CONSTANT;
    }

    public boolean isDictionary() {
        return form == Form.DICTIONARY;
    }

    public int rowCount() {
        return rowCount;
    }

    /// The values of a flat column, the one value of a constant, the codes of a dictionary column; borrowed.
    public MemorySegment values() {
        return values;
    }

    /// The validity bitmap (bit 0 alone for a constant), or null where nothing is NULL; borrowed.
    public MemorySegment validity() {
        return validity;
    }

    public boolean hasNulls() {
        return validity != null || physical == Physical.NONE;
    }

    /// The values that a dictionary column's codes index; borrowed. Its identity is the dictionary's.
    public Column dictionary() {
        assert form == Form.DICTIONARY;
        return children[0];
    }

    /// The children of a nested column; borrowed.
    public List<Column> children() {
        return form == Form.DICTIONARY ? children[0].children() : List.of(children);
    }

    /// The slab directory in which the views of this column find their long strings.
    public MemorySegment[] slabs() {
        return form == Form.DICTIONARY ? children[0].slabs : slabs;
    }

    public boolean isNull(int row) {
        if (physical == Physical.NONE) {
            return true;
        }
        return validity != null && !Bitmap.get(validity, form == Form.CONSTANT ? 0 : row);
    }

    /// Where the value of `row` lies in [#valueColumn()]: the row itself, 0 for a constant, its code for a
    /// dictionary.
    public int valueRow(int row) {
        return switch (form) {
            case FLAT -> row;
            case CONSTANT -> 0;
            case DICTIONARY -> values.getAtIndex(Layouts.INT, row);
        };
    }

    /// The column whose [#values()] hold this column's values: its dictionary's, else this.
    public Column valueColumn() {
        return form == Form.DICTIONARY ? children[0] : this;
    }

    /// Bytes of the segments that this column reads, without long strings.
    public long byteSize() {
        long bytes = values.byteSize() + (validity == null ? 0 : validity.byteSize());
        for (Column child : children) {
            bytes += child.byteSize();
        }
        return bytes;
    }

    @Override
    public void retain() {
        int before = count.getAndIncrement();
        assert before > 0 : "retained after its last release: " + this;
    }

    @Override
    public void release() {
        int left = count.decrementAndGet();
        assert left >= 0 : "released too often: " + this;
        if (left == 0) {
            for (Counted owner : owners) {
                owner.release();
            }
            if (ownsChildren) {
                for (Column child : children) {
                    child.release();
                }
            }
        }
    }

    @Override
    public String toString() {
        return form + " " + type + " (" + physical + ", " + rowCount + " rows)";
    }
}
