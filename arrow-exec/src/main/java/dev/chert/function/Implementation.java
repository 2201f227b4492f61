package dev.chert.function;

/// What runs a call: one method, or the two forms of one on DECIMAL.
///
/// @param plain the method on at most 64-bit values; null where there is only a wide one
/// @param wide  the method on 128-bit values, or null
public record Implementation(FunctionMethod plain, FunctionMethod wide) {
    public FunctionMethod any() {
        return plain != null ? plain : wide;
    }
}
