package dev.chert.batch;

import dev.chert.error.TableException;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// What tables need to know about a type: to hash, compare, store its values in rows and to load them into
/// columns again.
///
/// Works on many values a call. A batch's values are packed first ([PackedColumn]), which settles the column's
/// form and physical width; every later loop reads packed values and stored rows only. Stateless, one a type, for
/// all threads.
///
/// Equal is: all NaN are equal, -0.0 equals 0.0, decimals by value whatever their width. NULL: in packed values
/// and in rows the bytes of a NULL are 0, so values match where both are NULL or equal once the null bits were
/// compared, which is the caller's business for all fields of a row at once.
///
/// A nested type will be packed as a view of its serialised form; until then it is refused by name.
public abstract sealed class TypeOps permits NumberOps, WideOps, ViewOps, NullOps {
    private final DataType type;
    private final int rowBytes;

    TypeOps(DataType type, int rowBytes) {
        this.type = type;
        this.rowBytes = rowBytes;
    }

    /// The operations of a type.
    ///
    /// @throws TableException if values of the type cannot be compared yet
    public static TypeOps of(DataType type) {
        return switch (type.kind()) {
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DOUBLE,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ,
                    INTERVAL_YEAR_MONTH,
                    INTERVAL_DAY_TIME -> new NumberOps(type);
            case DECIMAL -> type.physical() == Physical.INT64 ? new NumberOps(type) : new WideOps(type);
            case UUID -> new WideOps(type);
            case CHAR, VARCHAR, VARBINARY -> new ViewOps(type);
            case NULL -> new NullOps(type);
            case ARRAY, MAP, ROW, OPAQUE ->
                throw new TableException("values of type " + type + " cannot be grouped, joined or sorted yet");
        };
    }

    public final DataType type() {
        return type;
    }

    /// Bytes of a value in a stored row: 0, 1, 2, 4, 8 or 16.
    public final int rowBytes() {
        return rowBytes;
    }

    /// Hashes packed values; NULL has a hash of its own.
    ///
    /// @param hashes  one a value; the hashes so far where `combine`
    /// @param combine whether an earlier column of the key has been hashed
    public final void hash(PackedColumn values, long[] hashes, boolean combine) {
        long[] byCode = hashesByCode(values);
        if (byCode != null) {
            HashLoops.mixCodes(byCode, values, hashes, combine);
        } else {
            HashLoops.mixInto(bits(values), values, hashes, combine);
        }
    }

    /// The bits of a dictionary's values, a code each, where that pays; else null.
    long[] hashesByCode(PackedColumn values) {
        return null;
    }

    /// Bits that are equal for equal values; may be the packed array itself.
    abstract long[] bits(PackedColumn values);

    /// Copies values into rows.
    ///
    /// @param positions which of the values, `count` of them
    /// @param places    the row of value `i` at `i`
    /// @param slabs     fetched after the rows were allocated
    /// @param heap      takes copies of long strings
    public abstract void store(
            PackedColumn values,
            int[] positions,
            int count,
            RowField field,
            long[] places,
            MemorySegment[] slabs,
            StringHeap heap);

    /// Keeps those candidates whose value equals the one in their row. NULL bits are not looked at.
    ///
    /// @param candidates positions of values, `count` of them; narrowed in place
    /// @param places     the row of value `i` at `i`
    /// @param dropped    receives the positions that do not match, from `droppedCount` on
    /// @return           how many candidates were kept
    public abstract int match(
            PackedColumn values,
            int[] candidates,
            int count,
            RowField field,
            long[] places,
            MemorySegment[] slabs,
            int[] dropped,
            int droppedCount);

    /// Packs values out of stored rows; strings stay where they are.
    public final void gather(long[] places, int count, RowField field, MemorySegment[] slabs, PackedColumn into) {
        into.gather(places, count, field, rowBytes, slabs);
    }

    /// Loads values of stored rows into a flat column. A DECIMAL column is 64 bits wide where all its values fit.
    ///
    /// @param places       rows; [RowPlace#NONE] gives NULL
    /// @param from         the first of `places` that is wanted
    /// @param mayBeNull    whether a stored value may be NULL; false spares a look at each row
    /// @param slabs        the slabs in which rows and strings lie
    /// @param stringOwners what keeps long strings alive, borrowed by the column if it is one of strings
    /// @return             the caller's, `count` rows
    public final Column load(
            long[] places,
            int from,
            int count,
            RowField field,
            boolean mayBeNull,
            MemorySegment[] slabs,
            Allocator allocator,
            Counted... stringOwners) {
        long some = RowPlace.NONE;
        boolean anyNone = false;
        for (int i = from; i < from + count; i++) {
            anyNone |= places[i] == RowPlace.NONE;
            some = places[i] == RowPlace.NONE ? some : places[i];
        }
        if (!anyNone) {
            return loadRows(places, from, count, field, mayBeNull, slabs, allocator, stringOwners)
                    .seal(count);
        }
        if (some == RowPlace.NONE) {
            return nulls(count, allocator);
        }
        long[] real = new long[count];
        for (int i = 0; i < count; i++) {
            real[i] = places[from + i] == RowPlace.NONE ? some : places[from + i];
        }
        ColumnWriter out = loadRows(real, 0, count, field, mayBeNull, slabs, allocator, stringOwners);
        if (out.physical() != Physical.NONE) {
            MemorySegment validity = out.validity();
            for (int i = 0; i < count; i++) {
                if (places[from + i] == RowPlace.NONE) {
                    Bitmap.clear(validity, i);
                }
            }
        }
        return out.seal(count);
    }

    private ColumnWriter loadRows(
            long[] places,
            int from,
            int count,
            RowField field,
            boolean mayBeNull,
            MemorySegment[] slabs,
            Allocator allocator,
            Counted[] stringOwners) {
        ColumnWriter out = loadValues(places, from, count, field.offset(), slabs, allocator);
        if (out.physical() == Physical.VIEW) {
            for (Counted owner : stringOwners) {
                out.borrow(owner);
            }
        }
        if (mayBeNull && out.physical() != Physical.NONE) {
            int nullOffset = field.flagOffset();
            int mask = field.flagMask();
            int nullFlag = field.nullFlag();
            for (int i = 0; i < count; i++) {
                long place = places[from + i];
                if ((RowPlace.slab(slabs, place).get(Layouts.INT, RowPlace.offset(place) + nullOffset) & mask)
                        == nullFlag) {
                    out.setNull(i);
                }
            }
        }
        return out;
    }

    abstract ColumnWriter loadValues(
            long[] places, int from, int count, int offset, MemorySegment[] slabs, Allocator allocator);

    /// A column of `count` NULLs, the caller's.
    public final Column nulls(int count, Allocator allocator) {
        ColumnWriter out = new ColumnWriter(type, 1, allocator);
        if (out.physical() != Physical.NONE) {
            out.values().fill((byte) 0);
            out.setNull(0);
        }
        return Column.constant(out.seal(1), count);
    }

    /// Orders two values, neither of which is NULL: false before true, NaN above all, strings byte by byte.
    ///
    /// One pair a call: for merging and checking, not for loops over columns.
    public abstract int compare(Column a, int rowA, Column b, int rowB);
}
