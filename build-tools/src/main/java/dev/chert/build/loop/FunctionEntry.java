package dev.chert.build.loop;

import java.util.Map;

/// A method with what its annotation says.
///
/// @param attributes the annotation's elements by name: strings, booleans, lists of strings
record FunctionEntry(LoopMethod method, Map<String, Object> attributes) {}
