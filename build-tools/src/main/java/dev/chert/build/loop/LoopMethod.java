package dev.chert.build.loop;

import java.util.List;

/// A static method that computes one row of a function.
///
/// @param packageName the package of its class, in which the loops will live
/// @param owner       simple name of its class
/// @param name        name of the method
/// @param loopClass   simple name of the class of loops
/// @param context     what its first parameter is, before the arguments
/// @param parameters  the arguments
/// @param result      what it returns or writes
public record LoopMethod(
        String packageName,
        String owner,
        String name,
        String loopClass,
        Context context,
        List<Parameter> parameters,
        Result result) {
    /// What a method gets beside its arguments.
    public enum Context {
        NONE,
        /// The query: zone, clock, seed.
        QUERY,
        /// The call: the query, the types of arguments and result, and room for state.
        CALL
    }

    /// One argument.
    ///
    /// @param boxed    takes NULL as null
    /// @param javaType the qualified type of a [Slot#PREPARED] parameter, else null
    public record Parameter(Slot slot, boolean boxed, String javaType) {}

    /// The result.
    ///
    /// @param boxed null means NULL
    public record Result(Slot slot, boolean boxed) {}

    public LoopMethod {
        parameters = List.copyOf(parameters);
    }

    /// True where the class of loops can narrow a selection too.
    public boolean isPredicate() {
        return result.slot() == Slot.BOOLEAN && !result.boxed();
    }
}
