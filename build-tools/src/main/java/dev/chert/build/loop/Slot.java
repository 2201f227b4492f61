package dev.chert.build.loop;

/// How a loop reads a parameter from a column, or writes a result into one.
public enum Slot {
    BOOLEAN("boolean", "Boolean", "BIT", 0),
    BYTE("byte", "Byte", "BYTE", 1),
    SHORT("short", "Short", "SHORT", 2),
    INT("int", "Integer", "INT", 4),
    LONG("long", "Long", "LONG", 8),
    FLOAT("float", "Float", "FLOAT", 4),
    DOUBLE("double", "Double", "DOUBLE", 8),
    /// A view of a string or byte string; as a result, what the method writes with its last parameter.
    STRING("StringView", null, "VIEW", 16),
    /// 128 bits; as a result, what the method puts into its last parameter.
    INT128("Int128", null, "INT128", 16),
    /// A string parameter turned into an object once a constant: its type has a static method `of(StringView)`.
    PREPARED(null, null, "VIEW", 16);

    private final String javaType;
    private final String boxedType;
    private final String layout;
    private final int byteWidth;

    Slot(String javaType, String boxedType, String layout, int byteWidth) {
        this.javaType = javaType;
        this.boxedType = boxedType;
        this.layout = layout;
        this.byteWidth = byteWidth;
    }

    /// The Java type of a parameter or local variable that holds a value; null for [#PREPARED].
    public String javaType() {
        return javaType;
    }

    /// The Java type that can also hold null, or null where there is none.
    public String boxedType() {
        return boxedType;
    }

    /// The name of the layout with which one value is read.
    public String layout() {
        return layout;
    }

    public int byteWidth() {
        return byteWidth;
    }
}
