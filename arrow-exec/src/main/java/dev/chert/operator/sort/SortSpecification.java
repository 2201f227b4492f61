package dev.chert.operator.sort;

import dev.chert.batch.DataType;
import dev.chert.batch.Schema;
import dev.chert.expression.SortKey;
import java.util.ArrayList;
import java.util.List;

/// What is sorted by what: shared by the workers of a sort.
///
/// @param sourceTypes of the input's columns, then of the computed strings that ties need
record SortSpecification(Schema schema, List<SortKey> keys, KeyLayout layout, List<DataType> sourceTypes) {
    static SortSpecification of(Schema schema, List<SortKey> keys) {
        KeyLayout layout = new KeyLayout(keys, schema.size());
        List<DataType> types = new ArrayList<>();
        schema.fields().forEach(field -> types.add(field.type()));
        layout.computedStrings()
                .forEach(key -> types.add(keys.get(key).expression().type()));
        return new SortSpecification(schema, List.copyOf(keys), layout, List.copyOf(types));
    }
}
