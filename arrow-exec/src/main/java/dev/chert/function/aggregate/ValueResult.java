package dev.chert.function.aggregate;

import dev.chert.batch.Column;
import dev.chert.batch.DataType;
import dev.chert.batch.RowField;
import dev.chert.batch.RowString;
import dev.chert.batch.TypeKind;
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
    private final boolean ofStrings;

    ValueResult(DataType type) {
        ops = TypeOps.of(type);
        ofStrings = type.kind().isCharacter() || type.kind() == TypeKind.VARBINARY;
    }

    /// Whether the value is a string.
    boolean ofStrings() {
        return ofStrings;
    }

    /// The string of a state, or null where the value is none.
    RowString string(int offset) {
        return ofStrings ? new RowString(field(offset), offset + ROOM) : null;
    }

    private static RowField field(int offset) {
        return RowField.optional(offset + VALUE, offset, PRESENT);
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
        return ops.load(places, first, count, field(offset), true, slabs, allocator, stringOwners);
    }
}
