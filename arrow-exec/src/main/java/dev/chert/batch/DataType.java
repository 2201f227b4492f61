package dev.chert.batch;

import java.io.Serializable;

/// The type of a column's values, without nullability, which is a [Field]'s.
public sealed interface DataType extends Serializable permits ScalarType, ArrayType, MapType, RowType {
    TypeKind kind();

    /// The physical form that a flat column of this type has unless it says otherwise; a DECIMAL column may be
    /// [Physical#INT64] while its values fit.
    Physical physical();
}
