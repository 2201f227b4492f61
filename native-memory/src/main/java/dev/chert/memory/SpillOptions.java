package dev.chert.memory;

import java.nio.file.Path;

/// Where and how much an engine spills.
///
/// @param directory   the folder in which the engine makes a private one; made if it is not there
/// @param limitBytes  the most bytes that all spill files together may take; `Long.MAX_VALUE` for no limit
/// @param nativeCodec whether blocks are compressed natively, where the library has its native part for this machine
/// @param always      whether holders of state spill at every safe point, as if memory were always tight; for tests
public record SpillOptions(Path directory, long limitBytes, boolean nativeCodec, boolean always) {
    /// A private folder in the system's folder for temporary files, without a limit.
    public static final SpillOptions DEFAULT =
            new SpillOptions(Path.of(System.getProperty("java.io.tmpdir")), Long.MAX_VALUE, isNativeGranted(), false);

    /// Whether native codecs may run without `codec.native=on`.
    public static boolean isNativeGranted() {
        // the codec's classes lie on the class path too, in the same module, and asking one of them would load it
        return SpillOptions.class.getModule().isNativeAccessEnabled();
    }
}
