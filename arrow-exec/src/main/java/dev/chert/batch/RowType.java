package dev.chert.batch;

import java.util.List;
import java.util.stream.Collectors;

/// Named fields side by side; the Arrow struct.
public record RowType(List<Field> fields) implements DataType {
    public RowType {
        fields = List.copyOf(fields);
    }

    @Override
    public TypeKind kind() {
        return TypeKind.ROW;
    }

    @Override
    public Physical physical() {
        return Physical.STRUCT;
    }

    @Override
    public String toString() {
        return fields.stream().map(f -> f.name() + " " + f.type()).collect(Collectors.joining(", ", "ROW(", ")"));
    }
}
