package dev.chert.memory;

import java.util.Arrays;

/// A set of small numbers that knows its lowest. Not thread-safe.
final class NumberSet {
    private long[] words = new long[1];
    private int size;

    /// No word before this one has a bit set.
    private int firstWord;

    boolean isEmpty() {
        return size == 0;
    }

    /// Adds a number that is not there.
    void add(int number) {
        int word = number >> 6;
        if (word >= words.length) {
            words = Arrays.copyOf(words, Math.max(word + 1, 2 * words.length));
        }
        words[word] |= 1L << number;
        size++;
        firstWord = Math.min(firstWord, word);
    }

    /// Removes a number that is there.
    void remove(int number) {
        words[number >> 6] &= ~(1L << number);
        size--;
    }

    /// The lowest number of a set that is not empty.
    int lowest() {
        while (words[firstWord] == 0) {
            firstWord++;
        }
        return (firstWord << 6) + Long.numberOfTrailingZeros(words[firstWord]);
    }
}
