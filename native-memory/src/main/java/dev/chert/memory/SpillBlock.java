package dev.chert.memory;

/// Where a block lies in its [SpillFile].
///
/// @param offset      first byte in the file
/// @param storedBytes bytes that it takes of the file and of `spill.limit`
/// @param bytes       bytes that were written and come back
public record SpillBlock(long offset, long storedBytes, long bytes) {}
