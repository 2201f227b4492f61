package dev.chert.batch;

/// A list of values of one type; the Arrow list.
public record ArrayType(Field element) implements DataType {
    @Override
    public TypeKind kind() {
        return TypeKind.ARRAY;
    }

    @Override
    public Physical physical() {
        return Physical.LIST;
    }

    @Override
    public String toString() {
        return element.type() + " ARRAY";
    }
}
