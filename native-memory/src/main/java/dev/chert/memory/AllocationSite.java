package dev.chert.memory;

import java.util.Arrays;

/// Where a buffer was allocated: made for each one in checking mode only, and worded only when it leaked.
final class AllocationSite extends Throwable {
    private static final long serialVersionUID = 1;
    private static final String PACKAGE = AllocationSite.class.getPackageName() + ".";

    AllocationSite() {
        super("it was allocated here", null, false, true);
    }

    /// The first frame outside this package's own machinery.
    static String of(Throwable origin) {
        return Arrays.stream(origin.getStackTrace())
                .filter(frame -> !frame.getClassName().startsWith(PACKAGE))
                .findFirst()
                .map(StackTraceElement::toString)
                .orElse("an unknown place");
    }
}
