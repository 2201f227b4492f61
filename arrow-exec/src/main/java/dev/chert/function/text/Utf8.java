package dev.chert.function.text;

import dev.chert.batch.StringView;

/// Code points in UTF-8 bytes: a byte begins one unless its upper bits are 10.
final class Utf8 {
    private Utf8() {}

    static boolean continues(byte b) {
        return (b & 0xC0) == 0x80;
    }

    static int countCodePoints(StringView text) {
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            count += continues(text.byteAt(i)) ? 0 : 1;
        }
        return count;
    }

    /// The byte `codePoints` code points after byte `from`, which begins one; at most the length.
    static int forward(StringView text, int from, long codePoints) {
        int length = text.length();
        int at = from;
        for (long left = codePoints; left > 0 && at < length; left--) {
            at++;
            while (at < length && continues(text.byteAt(at))) {
                at++;
            }
        }
        return at;
    }

    /// The byte `codePoints` code points before byte `from`; at least 0.
    static int backward(StringView text, int from, long codePoints) {
        int at = from;
        for (long left = codePoints; left > 0 && at > 0; left--) {
            at--;
            while (at > 0 && continues(text.byteAt(at))) {
                at--;
            }
        }
        return at;
    }

    static boolean isAscii(StringView text) {
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            bits |= text.byteAt(i);
        }
        return bits >= 0;
    }

    /// The byte at which `wanted` first lies at or after byte `from`, or -1.
    static int indexOf(StringView text, StringView wanted, int from) {
        int length = wanted.length();
        int last = text.length() - length;
        if (length == 0) {
            return from <= text.length() ? from : -1;
        }
        byte first = wanted.byteAt(0);
        for (int at = from; at <= last; at++) {
            if (text.byteAt(at) == first && matches(text, at, wanted)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean matches(StringView text, int at, StringView wanted) {
        for (int i = 1; i < wanted.length(); i++) {
            if (text.byteAt(at + i) != wanted.byteAt(i)) {
                return false;
            }
        }
        return true;
    }
}
