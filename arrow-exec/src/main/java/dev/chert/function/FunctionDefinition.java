package dev.chert.function;

import java.util.List;

/// A function as the reference and the planner's operator table list it.
///
/// @param name        lower case; an operator's sign
/// @param signatures  what there is, `(VARCHAR, INTEGER) -> VARCHAR`
/// @param deterministic whether equal arguments always give the same
/// @param description one sentence
/// @param example     a call, or empty
/// @param result      what the example gives
public record FunctionDefinition(
        String name,
        List<String> aliases,
        List<String> signatures,
        boolean deterministic,
        String description,
        String example,
        String result) {
    public FunctionDefinition {
        aliases = List.copyOf(aliases);
        signatures = List.copyOf(signatures);
    }
}
