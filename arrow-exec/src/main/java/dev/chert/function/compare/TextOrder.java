package dev.chert.function.compare;

import dev.chert.batch.StringView;
import dev.chert.kernel.Int128;

/// Orders that Java's comparison operators do not have.
public final class TextOrder {
    private TextOrder() {}

    /// Compares as if the shorter were padded with spaces.
    public static int comparePadded(StringView a, StringView b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            int difference = (a.byteAt(i) & 0xFF) - (b.byteAt(i) & 0xFF);
            if (difference != 0) {
                return difference;
            }
        }
        StringView longer = a.length() > b.length() ? a : b;
        for (int i = common; i < longer.length(); i++) {
            int difference = (longer.byteAt(i) & 0xFF) - ' ';
            if (difference != 0) {
                return longer == a ? difference : -difference;
            }
        }
        return 0;
    }

    /// Compares UUIDs, whose bytes lie in text order, byte by byte.
    static int compareUuids(Int128 a, Int128 b) {
        int first = Long.compareUnsigned(Long.reverseBytes(a.low()), Long.reverseBytes(b.low()));
        return first != 0 ? first : Long.compareUnsigned(Long.reverseBytes(a.high()), Long.reverseBytes(b.high()));
    }
}
