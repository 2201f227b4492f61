package dev.chert.memory;

/// Something that several holders share and that goes back when the last of them lets go.
///
/// The count starts at one, which is its maker's. Both methods may be called by any thread that holds a count.
public interface Counted {
    /// Adds a holder.
    /// @throws IllegalStateException if the last holder has let go already
    void retain();

    /// Takes a holder away; the last one gives the memory back.
    /// @throws IllegalStateException if the last holder has let go already
    void release();
}
