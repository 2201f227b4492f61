package dev.chert.formats.parquet;

import java.util.Arrays;
import java.util.HexFormat;

/// Bytes in the order of unsigned bytes, which for UTF-8 is the order of code points.
record Bytes(byte[] value) implements Comparable<Bytes> {
    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(value, other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes bytes && Arrays.equals(value, bytes.value);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(value);
    }
}
