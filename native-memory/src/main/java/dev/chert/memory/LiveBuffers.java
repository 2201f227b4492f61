package dev.chert.memory;

import java.util.concurrent.locks.ReentrantLock;

/// A part of an account's register of live buffers: a list that is linked through the buffers themselves, and
/// the lock that guards it. An account has several parts, so that workers seldom meet.
///
/// A buffer's `previous` and `next` change under the lock of its home only.
final class LiveBuffers {
    final ReentrantLock lock = new ReentrantLock();
    private Buffer first;
    private int count;
    private boolean closed;

    boolean isClosed() {
        return closed;
    }

    int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    void add(Buffer buffer) {
        assert lock.isHeldByCurrentThread() && !closed;
        buffer.previous = null;
        buffer.next = first;
        if (first != null) {
            first.previous = buffer;
        }
        first = buffer;
        buffer.home = this;
        count++;
    }

    void remove(Buffer buffer) {
        assert lock.isHeldByCurrentThread() && buffer.home == this;
        if (buffer.previous == null) {
            first = buffer.next;
        } else {
            buffer.previous.next = buffer.next;
        }
        if (buffer.next != null) {
            buffer.next.previous = buffer.previous;
        }
        buffer.previous = null;
        buffer.next = null;
        count--;
    }

    /// The head of the list; follow `next` while the lock is held.
    Buffer first() {
        assert lock.isHeldByCurrentThread();
        return first;
    }

    /// Takes every buffer out and lets no other in.
    /// @return the head of the list, which is the caller's now
    Buffer close() {
        lock.lock();
        try {
            Buffer all = first;
            for (Buffer buffer = all; buffer != null; buffer = buffer.next) {
                buffer.outlivedItsAccount();
            }
            first = null;
            count = 0;
            closed = true;
            return all;
        } finally {
            lock.unlock();
        }
    }
}
