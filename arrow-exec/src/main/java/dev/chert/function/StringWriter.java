package dev.chert.function;

import dev.chert.batch.Column;
import dev.chert.batch.ColumnWriter;
import dev.chert.batch.Layouts;
import dev.chert.batch.StringHeap;
import dev.chert.batch.StringView;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Where a function writes its string, once a row.
///
/// Either with [#write], or, for a new string, between [#begin] and [#end]. Part of a long argument is not
/// copied: the result points to where it lies already, and keeps the argument alive.
public final class StringWriter {
    private static final int INLINE_BYTES = 12;
    private static final int VIEW_BYTES = 16;

    private final ColumnWriter out;
    private final Column[] arguments;
    private int row;
    private MemorySegment segment;
    private long offset;
    private boolean inHeap;
    private boolean borrowed;

    /// @param arguments the columns whose strings may be handed to [#write]
    public StringWriter(ColumnWriter out, Column[] arguments) {
        this.out = out;
        this.arguments = arguments;
    }

    /// Says which row comes next; called by the loop.
    public void row(int next) {
        row = next;
    }

    /// Writes a whole argument.
    public void write(StringView value) {
        write(value, 0, value.length());
    }

    /// Writes `length` bytes of an argument from byte `from` on.
    public void write(StringView value, int from, int length) {
        long at = value.offset() + from;
        if (length > INLINE_BYTES && value.slab() >= 0) {
            if (!borrowed) {
                borrowed = true;
                for (Column argument : arguments) {
                    out.borrow(argument);
                }
            }
            out.putPlace(row, value.segment(), at, length, value.slab(), (int) at);
        } else {
            out.putBytes(row, value.segment(), at, length);
        }
    }

    /// Writes text that Java made; for functions that are not hot.
    public void write(String text) {
        write(text.getBytes(StandardCharsets.UTF_8));
    }

    public void write(byte[] bytes) {
        begin(bytes.length);
        MemorySegment.copy(bytes, 0, segment, Layouts.BYTE, offset, bytes.length);
        end(bytes.length);
    }

    /// Begins a new string of at most `mostBytes` bytes, to be put from [#offset()] of [#segment()] on.
    public void begin(int mostBytes) {
        inHeap = mostBytes > INLINE_BYTES;
        if (inHeap) {
            StringHeap heap = out.heap();
            heap.reserve(mostBytes);
            segment = heap.segment();
            offset = heap.place();
        } else {
            segment = out.values();
            offset = (long) row * VIEW_BYTES + 4;
        }
    }

    public MemorySegment segment() {
        return segment;
    }

    public long offset() {
        return offset;
    }

    /// Ends the string that was begun.
    public void end(int length) {
        if (!inHeap) {
            out.values().set(Layouts.INT, (long) row * VIEW_BYTES, length);
        } else if (length <= INLINE_BYTES) {
            out.putBytes(row, segment, offset, length);
        } else {
            StringHeap heap = out.heap();
            out.putPlace(row, segment, offset, length, heap.slab(), heap.slabOffset());
        }
    }
}
