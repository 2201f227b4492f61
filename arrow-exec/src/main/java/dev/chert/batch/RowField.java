package dev.chert.batch;

/// Where one value lies in a stored row.
///
/// @param offset     the value's first byte, counted from the row's
/// @param nullOffset the first byte of the 32-bit word that has the value's null bit
/// @param nullMask   the null bit; 1 is NULL, and then all bytes of the value are 0
public record RowField(int offset, int nullOffset, int nullMask) {}
