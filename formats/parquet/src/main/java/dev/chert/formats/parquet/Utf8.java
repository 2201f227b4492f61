package dev.chert.formats.parquet;

import static dev.chert.batch.Layouts.BYTE;
import static dev.chert.batch.Layouts.INT;
import static dev.chert.batch.Layouts.LONG;

import java.lang.foreign.MemorySegment;

/// Checks that strings are UTF-8, which the rest of the engine takes for granted.
///
/// Most pages are ASCII from end to end, lengths included, and are through with one pass over their words.
/// Source: RFC 3629, section 4.
final class Utf8 {
    static final int ALL_VALID = -1;
    /// A page that is not ASCII mostly says so early.
    private static final long PIECE_BYTES = 16 << 10;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    static boolean isAscii(MemorySegment bytes) {
        for (long at = 0; at < bytes.byteSize(); at += PIECE_BYTES) {
            if (!isAsciiPiece(bytes.asSlice(at, Math.min(PIECE_BYTES, bytes.byteSize() - at)))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAsciiPiece(MemorySegment bytes) {
        long words = bytes.byteSize() >>> 3;
        long bits = 0;
        for (int i = 0; i < words; i++) {
            bits |= bytes.getAtIndex(LONG, i);
        }
        for (long at = words << 3; at < bytes.byteSize(); at++) {
            bits |= bytes.get(BYTE, at);
        }
        return (bits & HIGH_BITS) == 0;
    }

    /// Looks at `count` strings, each after its length in 4 bytes, all of which the page has.
    ///
    /// @param at byte of the page at which the first length lies
    /// @return   the byte at which the first string begins that is no UTF-8, or [#ALL_VALID]
    static long firstInvalid(MemorySegment page, long at, int count) {
        long position = at;
        for (int i = 0; i < count; i++) {
            long end = position + Integer.BYTES + page.get(INT, position);
            if (!isValid(page, position + Integer.BYTES, end)) {
                return position + Integer.BYTES;
            }
            position = end;
        }
        return ALL_VALID;
    }

    /// True where the bytes from `start` to before `end` are UTF-8.
    static boolean isValid(MemorySegment bytes, long start, long end) {
        long at = start;
        while (at < end) {
            if (end - at >= Long.BYTES && (bytes.get(LONG, at) & HIGH_BITS) == 0) {
                at += Long.BYTES;
                continue;
            }
            int lead = bytes.get(BYTE, at) & 0xFF;
            int length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
            if (length == 0 || length > end - at) {
                return false;
            }
            if (length > 1 && !isValidTail(bytes, at, lead, length)) {
                return false;
            }
            at += length;
        }
        return true;
    }

    private static boolean isValidTail(MemorySegment bytes, long at, int lead, int length) {
        int second = bytes.get(BYTE, at + 1) & 0xFF;
        // no longer form than needed, no surrogates, nothing above U+10FFFF
        int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return false;
        }
        for (int i = 2; i < length; i++) {
            if ((bytes.get(BYTE, at + i) & 0xC0) != 0x80) {
                return false;
            }
        }
        return true;
    }
}
