/// Writes the loops of the vectorized interpreter from the methods that define functions.
///
/// Start with [LoopMethod], the description of one static method, and [LoopWriter], which turns it into the
/// source of a class of loops. Neither knows the compiler's model of a program, so a function that is registered
/// while the engine runs can have its loops from them too. [FunctionProcessor] is the door for the build: it
/// finds annotated methods, renders templates first (so that the same function for a third type is not written by
/// hand), and writes one class of loops a method and one index of all of them.
///
/// The annotation and the runtime types are known by name only: this module stands before the engine in the
/// build.
package dev.chert.build.loop;
