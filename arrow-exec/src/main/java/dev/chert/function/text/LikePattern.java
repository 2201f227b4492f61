package dev.chert.function.text;

import dev.chert.batch.StringView;
import dev.chert.function.FunctionException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A LIKE pattern made ready: the pieces between its `%`, each of bytes and `_`, which stands for one code point.
///
/// The first piece is bound to the beginning, the last to the end, and each one between is taken where it first
/// fits: since a piece is always the same number of code points, its earliest place leaves most for the others.
public final class LikePattern {
    /// @param bytes what to find
    /// @param any   true where any code point stands for the byte
    private record Piece(byte[] bytes, boolean[] any, boolean plain) {
        int codePoints() {
            int count = 0;
            for (int i = 0; i < bytes.length; i++) {
                count += any[i] || !Utf8.continues(bytes[i]) ? 1 : 0;
            }
            return count;
        }
    }

    private final Piece[] pieces;

    private LikePattern(Piece[] pieces) {
        this.pieces = pieces;
    }

    /// A pattern without an escape character.
    public static LikePattern of(StringView pattern) {
        return of(pattern.toString(), -1);
    }

    /// @param escape a code point, or -1 for none
    static LikePattern of(String pattern, int escape) {
        List<Piece> pieces = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Boolean> any = new ArrayList<>();
        int[] points = pattern.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            if (point == escape) {
                i++;
                boolean escapes = i < points.length && (points[i] == '%' || points[i] == '_' || points[i] == escape);
                if (!escapes) {
                    throw FunctionException.invalid(
                            "the pattern '%s' has its escape character before neither %%, _ nor itself", pattern);
                }
                append(bytes, any, points[i]);
            } else if (point == '%') {
                pieces.add(piece(bytes, any));
            } else if (point == '_') {
                bytes.write(0);
                any.add(true);
            } else {
                append(bytes, any, point);
            }
        }
        pieces.add(piece(bytes, any));
        return new LikePattern(pieces.toArray(Piece[]::new));
    }

    private static void append(ByteArrayOutputStream bytes, List<Boolean> any, int point) {
        byte[] encoded = Character.toString(point).getBytes(StandardCharsets.UTF_8);
        bytes.writeBytes(encoded);
        for (int i = 0; i < encoded.length; i++) {
            any.add(false);
        }
    }

    private static Piece piece(ByteArrayOutputStream bytes, List<Boolean> any) {
        boolean[] flags = new boolean[any.size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = any.get(i);
        }
        Piece piece = new Piece(bytes.toByteArray(), flags, !any.contains(true));
        bytes.reset();
        any.clear();
        return piece;
    }

    boolean matches(StringView text) {
        Piece first = pieces[0];
        int at = match(first, text, 0);
        if (at < 0) {
            return false;
        }
        if (pieces.length == 1) {
            return at == text.length();
        }
        for (int i = 1; i < pieces.length - 1; i++) {
            at = find(pieces[i], text, at);
            if (at < 0) {
                return false;
            }
        }
        Piece last = pieces[pieces.length - 1];
        int start = last.plain()
                ? text.length() - last.bytes().length
                : Utf8.backward(text, text.length(), last.codePoints());
        return start >= at && match(last, text, start) == text.length();
    }

    /// The byte after the piece where it lies at byte `from`, or -1.
    private static int match(Piece piece, StringView text, int from) {
        byte[] bytes = piece.bytes();
        if (piece.plain()) {
            if (from < 0 || from + bytes.length > text.length()) {
                return -1;
            }
            for (int i = 0; i < bytes.length; i++) {
                if (text.byteAt(from + i) != bytes[i]) {
                    return -1;
                }
            }
            return from + bytes.length;
        }
        int at = from;
        for (int i = 0; i < bytes.length; i++) {
            if (at >= text.length()) {
                return -1;
            }
            if (piece.any()[i]) {
                at = Utf8.forward(text, at, 1);
            } else if (text.byteAt(at) != bytes[i]) {
                return -1;
            } else {
                at++;
            }
        }
        return at;
    }

    /// The byte after the piece where it first lies at or after byte `from`, or -1.
    private static int find(Piece piece, StringView text, int from) {
        if (!piece.plain()) {
            for (int at = from; at <= text.length(); at = Utf8.forward(text, at, 1)) {
                int end = match(piece, text, at);
                if (end >= 0) {
                    return end;
                }
                if (at == text.length()) {
                    break;
                }
            }
            return -1;
        }
        byte[] bytes = piece.bytes();
        if (bytes.length == 0) {
            return from;
        }
        byte first = bytes[0];
        int last = text.length() - bytes.length;
        for (int at = from; at <= last; at++) {
            if (text.byteAt(at) == first && match(piece, text, at) >= 0) {
                return at + bytes.length;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return Arrays.toString(pieces);
    }
}
