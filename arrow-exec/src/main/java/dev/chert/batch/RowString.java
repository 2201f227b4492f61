package dev.chert.batch;

/// Where a string lies in a stored row: a view, whose long bytes lie elsewhere. What copies rows follows it.
///
/// @param view       the view's field; where it is NULL the view must not be followed
/// @param roomOffset the 32-bit count of the bytes that the string may occupy there, or [#NO_ROOM] where it
///                   occupies just its own
public record RowString(RowField view, int roomOffset) {
    /// Of a string that is never replaced.
    public static final int NO_ROOM = -1;

    /// The most bytes of a string that lies in its view.
    public static final int INLINE_BYTES = 12;

    /// The string of a field of a row layout.
    public static RowString ofField(RowField field) {
        return new RowString(field, NO_ROOM);
    }
}
