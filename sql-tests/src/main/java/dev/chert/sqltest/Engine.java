package dev.chert.sqltest;

/// A fresh database of one engine under test; a file gets one of its own.
public interface Engine extends AutoCloseable {
    /// Returns the name that `skipif` and `onlyif` know the engine by, in lower case.
    String label();

    /// Tells whether the file may count on `requirement`, the first word after `require`.
    boolean provides(String requirement);

    /// Opens a session; those of one engine see the same tables.
    Session connect();

    @Override
    void close();
}
