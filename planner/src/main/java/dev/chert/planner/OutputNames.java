package dev.chert.planner;

import dev.chert.error.SourcePosition;
import dev.chert.planner.parse.ParseErrors;
import dev.chert.planner.parse.SqlText;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;

/// The names of a query's columns: its aliases and columns, and for other expressions their text.
///
/// @param names one a column, null where the validator names it; none where the select list does not tell
record OutputNames(List<String> names) {
    /// Reads the select list as it was written, so before validation rewrites it.
    static OutputNames of(SqlNode query, SqlText sql) {
        SqlNode node = query;
        while (true) {
            switch (node) {
                case SqlOrderBy ordered -> node = ordered.query;
                case SqlWith with -> node = with.body;
                case SqlSelect select -> {
                    return new OutputNames(ofList(select, sql));
                }
                case SqlCall call when SqlKind.SET_QUERY.contains(call.getKind()) -> node = call.operand(0);
                default -> {
                    return new OutputNames(List.of());
                }
            }
        }
    }

    private static List<String> ofList(SqlSelect select, SqlText sql) {
        List<String> names = new ArrayList<>();
        for (SqlNode item : select.getSelectList()) {
            if (item instanceof SqlIdentifier identifier) {
                if (identifier.isStar()) {
                    return List.of();
                }
                names.add(null);
            } else if (item.getKind() == SqlKind.AS) {
                names.add(null);
            } else {
                SourcePosition place = ParseErrors.position(item.getParserPosition());
                names.add(place == null ? null : sql.of(place).replaceAll("\\s+", " "));
            }
        }
        return names;
    }

    /// These names where there are some, the validator's elsewhere.
    List<String> over(List<String> validated) {
        if (names.size() != validated.size()) {
            return validated;
        }
        List<String> all = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            all.add(names.get(i) == null ? validated.get(i) : names.get(i));
        }
        return all;
    }
}
