package dev.chert.plan;

/// Which rows a join gives. Left is the probe side of a hash join, right the build side.
public enum JoinKind {
    /// Every matching pair.
    INNER,
    /// Every matching pair, and each left row without a match once, right columns NULL.
    LEFT,
    /// Every matching pair, and each right row without a match once, left columns NULL.
    RIGHT,
    /// LEFT and RIGHT together.
    FULL,
    /// Each left row that has a match, once.
    SEMI,
    /// Each left row that has no match; a NULL key matches nothing (NOT EXISTS).
    ANTI,
    /// Each left row whose key is for certain not among the right keys (NOT IN): none where a right key is NULL,
    /// none for a left key that is NULL unless the right side is empty. With several keys or a residual the
    /// three-valued meaning is over the right rows that are not ruled out.
    NULL_AWARE_ANTI,
    /// Each left row once, with one more column: TRUE where it has a match, FALSE where it has none, and NULL
    /// where a NULL key leaves it open (IN as a value).
    MARK,
    /// Each right row that has a match, once: SEMI with the sides of the table exchanged.
    RIGHT_SEMI,
    /// Each right row that has no match: ANTI with the sides of the table exchanged.
    RIGHT_ANTI;

    /// True where the output has the left input's columns.
    public boolean givesLeft() {
        return this != RIGHT_SEMI && this != RIGHT_ANTI;
    }

    /// True where the output has the right input's columns.
    public boolean givesRight() {
        return switch (this) {
            case INNER, LEFT, RIGHT, FULL, RIGHT_SEMI, RIGHT_ANTI -> true;
            case SEMI, ANTI, NULL_AWARE_ANTI, MARK -> false;
        };
    }
}
