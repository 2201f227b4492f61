package dev.chert.source;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serial;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// A reference to an object of this JVM that a plan may hold: serialised as a number, and found again in the same
/// JVM as long as anybody keeps the reference it was made by.
public final class LocalReference<T> implements Serializable {
    private static final long serialVersionUID = 1;
    private static final AtomicLong NEXT = new AtomicLong(1);
    private static final Map<Long, WeakReference<LocalReference<?>>> LIVE = new ConcurrentHashMap<>();

    private final long number;
    private final transient T target;

    private LocalReference(long number, T target) {
        this.number = number;
        this.target = target;
    }

    /// Makes a reference; the target lives as long as it.
    public static <T> LocalReference<T> to(T target) {
        LIVE.values().removeIf(reference -> reference.refersTo(null));
        LocalReference<T> reference = new LocalReference<>(NEXT.getAndIncrement(), target);
        LIVE.put(reference.number, new WeakReference<>(reference));
        return reference;
    }

    public T get() {
        return target;
    }

    @Serial
    private Object readResolve() throws ObjectStreamException {
        WeakReference<LocalReference<?>> found = LIVE.get(number);
        LocalReference<?> reference = found == null ? null : found.get();
        if (reference == null) {
            throw new InvalidObjectException("the plan refers to an object in memory that this JVM does not hold");
        }
        return reference;
    }
}
