package dev.chert.arrow;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// A table of a flatbuffer, read in place. Whatever it points to is checked to lie inside.
///
/// ```text
/// table    | int32 back to its vtable | fields ...
/// vtable   | uint16 its bytes | uint16 the table's bytes | uint16 a field: where in the table, 0 if absent | ...
/// vector   | uint32 how many | elements ...                 found through a uint32 forward from a field
/// ```
///
/// Source: FlatBuffers' "FlatBuffer Internals".
final class FlatTable {
    private static final int SLOTS_OFFSET = 4;

    private final MemorySegment bytes;
    private final MessagePlace place;
    private final long table;
    private final long vtable;
    private final int vtableBytes;

    private FlatTable(MemorySegment bytes, long table, MessagePlace place) {
        this.bytes = bytes;
        this.place = place;
        this.table = table;
        this.vtable = table - readInt(table);
        this.vtableBytes = readShort(vtable);
        if (vtableBytes < SLOTS_OFFSET) {
            throw place.corrupt("a vtable has %d bytes, at least %d are needed", vtableBytes, SLOTS_OFFSET);
        }
    }

    /// The root table of the flatbuffer that these bytes are.
    static FlatTable root(MemorySegment bytes, MessagePlace place) {
        if (bytes.byteSize() < Integer.BYTES) {
            throw place.corrupt("the metadata have %d bytes", bytes.byteSize());
        }
        return new FlatTable(bytes, Integer.toUnsignedLong(bytes.get(Layouts.INT, 0)), place);
    }

    boolean has(int slot) {
        return fieldAt(slot) != 0;
    }

    byte byteField(int slot, byte absent) {
        long at = fieldAt(slot);
        return at == 0 ? absent : bytes.get(Layouts.BYTE, check(at, Byte.BYTES));
    }

    short shortField(int slot, short absent) {
        long at = fieldAt(slot);
        return at == 0 ? absent : bytes.get(Layouts.SHORT, check(at, Short.BYTES));
    }

    long longField(int slot, long absent) {
        long at = fieldAt(slot);
        return at == 0 ? absent : bytes.get(Layouts.LONG, check(at, Long.BYTES));
    }

    /// The table that a field points to, or null if it is absent.
    FlatTable tableField(int slot) {
        long at = fieldAt(slot);
        return at == 0 ? null : new FlatTable(bytes, target(at), place);
    }

    /// The numbers of a vector of structures of `width` int64 each, one after the other; none if it is absent.
    long[] longsField(int slot, int width) {
        long field = fieldAt(slot);
        if (field == 0) {
            return new long[0];
        }
        long at = target(field);
        long count = Integer.toUnsignedLong(readInt(at)) * width;
        check(at + Integer.BYTES, count * Long.BYTES);
        long[] longs = new long[(int) count];
        MemorySegment.copy(bytes, Layouts.LONG, at + Integer.BYTES, longs, 0, longs.length);
        return longs;
    }

    private long fieldAt(int slot) {
        long at = SLOTS_OFFSET + 2L * slot;
        if (at + Short.BYTES > vtableBytes) {
            return 0;
        }
        int offset = readShort(vtable + at);
        return offset == 0 ? 0 : table + offset;
    }

    private long target(long at) {
        return at + Integer.toUnsignedLong(readInt(at));
    }

    private int readShort(long at) {
        return Short.toUnsignedInt(bytes.get(Layouts.SHORT, check(at, Short.BYTES)));
    }

    private int readInt(long at) {
        return bytes.get(Layouts.INT, check(at, Integer.BYTES));
    }

    private long check(long at, long length) {
        if (at < 0 || length > bytes.byteSize() - at) {
            throw place.corrupt("the metadata point to bytes %d to %d of their %d", at, at + length, bytes.byteSize());
        }
        return at;
    }
}
