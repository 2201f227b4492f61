package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.RowField;
import dev.chert.batch.TypeOps;
import dev.chert.memory.Allocator;
import dev.chert.memory.Counted;
import java.lang.foreign.MemorySegment;

/// The result of a state that keeps one value of its argument.
///
/// ```text
/// 0       4                     8                                16        24
/// | flags | room for the string | value, 8 bytes or the lower 8  | upper 8 |
/// bit 0: there is a value
/// ```
final class ValueResult {
    /// The flag of a state that has a value.
    static final int PRESENT = 1;

    /// Where in the state the bytes that a string may occupy are counted.
    static final int ROOM = 4;

    /// Where in the state the value begins.
    static final int VALUE = 8;

    private final TypeOps ops;

    ValueResult(DataType type) {
        ops = TypeOps.of(type);
    }

    /// The bytes of a state for values of a type.
    static int stateBytes(DataType type) {
        return TypeOps.of(type).rowBytes() <= 8 ? 16 : 24;
    }

    Column load(
            long[] places,
            int first,
            int count,
            int offset,
            MemorySegment[] slabs,
            Allocator allocator,
            Counted... stringOwners) {
        RowField field = RowField.optional(offset + VALUE, offset, PRESENT);
        return ops.load(places, first, count, field, true, slabs, allocator, stringOwners);
    }
}
