package dev.chert.sqltest;

/// One connection to an [Engine].
public interface Session extends AutoCloseable {
    /// Runs the SQL of one record, with or without a semicolon at its end. Where it holds several statements the last
    /// one's outcome counts, or that of the first to fail.
    Outcome execute(String sql);

    @Override
    void close();
}
