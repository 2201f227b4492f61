package dev.chert.function.cast;

import dev.chert.batch.ScalarType;
import dev.chert.batch.StringView;
import dev.chert.batch.TypeKind;
import dev.chert.function.CallContext;
import dev.chert.function.StringWriter;

/// Writes text as a value of VARCHAR(n), which is not longer, or CHAR(n), which has just n characters.
final class TextWriting {
    private TextWriting() {}

    /// Writes what a value looks like, cut or padded: a cast that is asked for cuts, of whatever it is.
    static void write(CallContext context, CharSequence text, StringWriter out) {
        ScalarType type = context.resultType();
        int limit = type.precision();
        int length = text.length(); // such text is ASCII
        if (limit != ScalarType.UNBOUNDED && length > limit) {
            out.write(text.subSequence(0, limit).toString());
            return;
        }
        out.write(type.kind() == TypeKind.CHAR ? text + " ".repeat(limit - length) : text.toString());
    }

    /// Writes a string, cut or padded.
    static void writeCut(CallContext context, StringView text, StringWriter out) {
        ScalarType type = context.resultType();
        int limit = type.precision();
        boolean fits = text.length() <= limit && type.kind() != TypeKind.CHAR; // no more characters than bytes
        if (limit == ScalarType.UNBOUNDED || fits) {
            out.write(text);
            return;
        }
        int at = 0;
        int characters = 0;
        while (at < text.length() && characters < limit) {
            at++;
            while (at < text.length() && (text.byteAt(at) & 0xC0) == 0x80) {
                at++;
            }
            characters++;
        }
        if (type.kind() != TypeKind.CHAR || characters == limit) {
            out.write(text, 0, at);
        } else {
            out.write(text.toString() + " ".repeat(limit - characters));
        }
    }
}
