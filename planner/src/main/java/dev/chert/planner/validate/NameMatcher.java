package dev.chert.planner.validate;

import dev.chert.error.ValidationException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlNameMatchers;

/// Finds columns: exact case wins, then ignoring case, else the name is ambiguous. One a statement.
///
/// The validator finds a column and then looks for others of its name, in the case-sensitivity that this matcher says
/// it has. So right after a name was found in exact case beside others this matcher is case-sensitive.
final class NameMatcher implements SqlNameMatcher {
    private static final SqlNameMatcher IGNORING_CASE = SqlNameMatchers.withCaseSensitive(false);

    private boolean foundExactly;

    @Override
    public boolean isCaseSensitive() {
        return foundExactly;
    }

    @Override
    public boolean matches(String written, String name) {
        return written.equalsIgnoreCase(name);
    }

    @Override
    public <K extends List<String>, V> V get(Map<K, V> map, List<String> prefix, List<String> names) {
        return IGNORING_CASE.get(map, prefix, names);
    }

    @Override
    public String bestString() {
        throw new UnsupportedOperationException("only the matcher of hints remembers names");
    }

    @Override
    public RelDataTypeField field(RelDataType row, String name) {
        RelDataTypeField found = null;
        RelDataTypeField similar = null;
        RelDataTypeField other = null;
        for (RelDataTypeField field : row.getFieldList()) {
            if (field.getName().equals(name)) {
                found = field;
            } else if (field.getName().equalsIgnoreCase(name)) {
                other = similar;
                similar = field;
            }
        }
        foundExactly = found != null && similar != null;
        if (found != null) {
            return found;
        }
        if (other != null) {
            throw new ValidationException("column '" + name + "' is ambiguous: there are '" + other.getName()
                    + "' and '" + similar.getName() + "'; write it in the right case");
        }
        return similar;
    }

    @Override
    public int frequency(Iterable<String> names, String name) {
        int exact = 0;
        int similar = 0;
        for (String other : names) {
            exact += other.equals(name) ? 1 : 0;
            similar += other.equalsIgnoreCase(name) ? 1 : 0;
        }
        return exact > 0 ? exact : similar;
    }

    @Override
    public Set<String> createSet() {
        return new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    }
}
