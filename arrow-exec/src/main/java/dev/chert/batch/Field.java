package dev.chert.batch;

import java.io.Serializable;

/// A named column or element.
///
/// @param nullable whether NULL may occur; false is a promise, true is not
public record Field(String name, DataType type, boolean nullable) implements Serializable {
    public static Field of(String name, DataType type) {
        return new Field(name, type, true);
    }
}
