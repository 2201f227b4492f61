package dev.chert.batch;

/// Where one value lies in a stored row.
///
/// @param offset     the value's first byte, counted from the row's
/// @param flagOffset the first byte of the 32-bit word that has the value's flag
/// @param flagMask   the one bit of that word which tells whether the value is NULL
/// @param nullFlag   the word under the mask where the value is NULL: the mask, or 0 where a set bit says present
public record RowField(int offset, int flagOffset, int flagMask, int nullFlag) {
    /// A field of a row layout: a set bit is NULL, and then all bytes of the value are 0.
    public static RowField nullable(int offset, int nullOffset, int nullMask) {
        return new RowField(offset, nullOffset, nullMask, nullMask);
    }

    /// A value of an accumulator: a set bit says that there is one; zeroed memory has none.
    public static RowField optional(int offset, int presentOffset, int presentMask) {
        return new RowField(offset, presentOffset, presentMask, 0);
    }
}
