package dev.chert.batch;

/// Entries of keys, which are never NULL, and values; the Arrow map.
public record MapType(DataType key, Field value) implements DataType {
    @Override
    public TypeKind kind() {
        return TypeKind.MAP;
    }

    @Override
    public Physical physical() {
        return Physical.MAP;
    }

    @Override
    public String toString() {
        return "MAP<" + key + ", " + value.type() + ">";
    }
}
