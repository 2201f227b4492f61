package dev.chert.batch;

import java.io.Serializable;
import java.util.List;

/// The columns of a table or of an operator's output, in order.
public record Schema(List<Field> fields) implements Serializable {
    public Schema {
        fields = List.copyOf(fields);
    }

    public static Schema of(Field... fields) {
        return new Schema(List.of(fields));
    }

    public int size() {
        return fields.size();
    }

    public Field field(int column) {
        return fields.get(column);
    }

    public DataType type(int column) {
        return fields.get(column).type();
    }

    /// The fields at `columns`, in that order.
    public Schema select(List<Integer> columns) {
        return new Schema(columns.stream().map(fields::get).toList());
    }
}
