package dev.chert.planner.catalog;

import dev.chert.error.ValidationException;
import dev.chert.planner.parse.SqlText;
import dev.chert.query.NearestName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Tables and views by name. Thread-safe.
///
/// A name keeps the case in which it was made. One that is asked for in the same case wins, else the only one that is
/// equal ignoring case; where there are several such names the asker is told.
public final class Catalog {
    /// What a name stands for.
    public sealed interface Entry {
        /// The name as it was made.
        String name();
    }

    public record Table(String name, CatalogTable table) implements Entry {}

    /// @param columns names of the columns; none where the query names them
    public record View(String name, List<String> columns, SqlText query) implements Entry {
        public View {
            columns = List.copyOf(columns);
        }
    }

    private final Map<String, Entry> entries = new TreeMap<>();

    /// @throws ValidationException where several names are equal to this one but for case
    public synchronized Optional<Entry> find(String name) {
        Entry exact = entries.get(name);
        if (exact != null) {
            return Optional.of(exact);
        }
        List<Entry> similar = entries.values().stream()
                .filter(e -> e.name().equalsIgnoreCase(name))
                .toList();
        if (similar.size() > 1) {
            throw new ValidationException("table '" + name + "' is ambiguous: there are "
                    + String.join(
                            " and ",
                            similar.stream().map(e -> "'" + e.name() + "'").toList()));
        }
        return similar.stream().findFirst();
    }

    /// Adds a table or view.
    ///
    /// @param replace whether one of the same name gives way
    /// @return        what gave way
    /// @throws ValidationException where there is one and it does not
    public synchronized Optional<Entry> add(Entry entry, boolean replace) {
        if (!replace) {
            demandFree(entry.name());
        }
        Optional<Entry> old = find(entry.name());
        if (old.isPresent() && old.get().getClass() != entry.getClass()) {
            throw new ValidationException(
                    "'" + old.get().name() + "' is a " + kind(old.get()) + "; drop it before its name is used again");
        }
        old.ifPresent(e -> entries.remove(e.name()));
        entries.put(entry.name(), entry);
        return old;
    }

    /// Demands that a name can still be given.
    ///
    /// @throws ValidationException where a table or view has it
    public synchronized void demandFree(String name) {
        find(name).ifPresent(old -> {
            throw new ValidationException(
                    kind(old) + " '" + old.name() + "' exists already; drop it first, or write CREATE OR REPLACE");
        });
    }

    /// Removes a table (or, where `view`, a view).
    ///
    /// @return what was removed; empty where there is none of that name and kind
    public synchronized Optional<Entry> remove(String name, boolean view) {
        Optional<Entry> entry = find(name);
        if (entry.isPresent()) {
            if (entry.get() instanceof View != view) {
                throw new ValidationException("'" + entry.get().name() + "' is a " + kind(entry.get()) + "; write DROP "
                        + (view ? "TABLE" : "VIEW"));
            }
            entries.remove(entry.get().name());
        }
        return entry;
    }

    /// All names, in the order of their letters.
    public synchronized List<String> names() {
        return List.copyOf(entries.keySet());
    }

    /// The name that was probably meant, or null.
    public synchronized String nearest(String name) {
        return NearestName.of(name, entries.keySet());
    }

    private static String kind(Entry entry) {
        return switch (entry) {
            case Table _ -> "table";
            case View _ -> "view";
        };
    }
}
