package dev.chert.pipeline;

import java.time.Duration;

/// Where a plan comes from, for metrics.
///
/// @param text         the statement, or "" where there is none
/// @param planningTime how long it took to make a plan of the text
public record QueryOrigin(String text, Duration planningTime) {
    /// Of a plan that was made by hand.
    public static final QueryOrigin NONE = new QueryOrigin("", Duration.ZERO);
}
