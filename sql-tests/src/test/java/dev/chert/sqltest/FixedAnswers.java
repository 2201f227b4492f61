package dev.chert.sqltest;

import java.util.List;
import java.util.Map;

/// An engine that knows the outcome of some texts and refuses all others.
/// @param executed collects what was asked
record FixedAnswers(String label, Map<String, Outcome> answers, List<String> executed) implements Engine, Session {
    static final Outcome FAILED = new Outcome.Failed("line 1, column 8: no column x; did you mean y?");

    @Override
    public boolean provides(String requirement) {
        return requirement.equals("parquet");
    }

    @Override
    public Session connect() {
        return this;
    }

    @Override
    public Outcome execute(String sql) {
        executed.add(sql);
        return answers.getOrDefault(sql, FAILED);
    }

    @Override
    public void close() {}
}
