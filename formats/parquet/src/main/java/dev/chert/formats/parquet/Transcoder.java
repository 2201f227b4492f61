package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;
import org.apache.parquet.format.Type;

/// Writes the values of a page again, as PLAIN, where its encoding has no decoder of its own.
///
/// So each form of value needs one decoder. Costs a pass over the page, and a buffer of its PLAIN size.
/// Source: Parquet Encodings.md, "Delta Encoding" to "Byte Stream Split".
final class Transcoder {
    private static final int VALUES_UNCHECKED = 1 << 16;

    private final Type type;
    private final int plainBytes;
    private final SplitContext context;
    private final Location page;

    /// @param plainBytes of a value, or 0 where they vary
    Transcoder(Type type, int plainBytes, SplitContext context, Location page) {
        this.type = type;
        this.plainBytes = plainBytes;
        this.context = context;
        this.page = page;
    }

    /// Byte `b` of value `i` lies at `b * count + i`.
    ///
    /// @return the caller's: one count on its owner
    PageBytes byteStreamSplit(MemorySegment bytes) {
        switch (type) {
            case INT32, INT64, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY -> {}
            case BOOLEAN, INT96, BYTE_ARRAY -> throw undefined("BYTE_STREAM_SPLIT");
        }
        if (bytes.byteSize() % plainBytes != 0) {
            throw page.corrupt(
                    "BYTE_STREAM_SPLIT holds %d bytes, which are no values of %d", bytes.byteSize(), plainBytes);
        }
        int count = (int) (bytes.byteSize() / plainBytes);
        Buffer buffer = context.allocator().allocate(bytes.byteSize());
        MemorySegment plain = buffer.segment();
        for (int b = 0; b < plainBytes; b++) {
            context.query().checkCancelled();
            MemorySegment stream = bytes.asSlice((long) b * count, count);
            for (int i = 0; i < count; i++) {
                plain.set(Layouts.BYTE, (long) i * plainBytes + b, stream.get(Layouts.BYTE, i));
            }
        }
        return PageBytes.of(buffer, 0, buffer.size());
    }

    /// @param mostValues rows of the page
    /// @return           the caller's: one count on its owner
    PageBytes deltaBinaryPacked(MemorySegment bytes, int mostValues) {
        if (type != Type.INT32 && type != Type.INT64) {
            throw undefined("DELTA_BINARY_PACKED");
        }
        DeltaIntegers integers = new DeltaIntegers(bytes, mostValues, context.query(), page);
        Buffer buffer = context.allocator().allocate((long) integers.count() * plainBytes);
        try {
            integers.decode(buffer.segment(), plainBytes);
        } catch (RuntimeException e) {
            buffer.release();
            throw e;
        }
        return PageBytes.of(buffer, 0, buffer.size());
    }

    /// All lengths, then all bytes.
    ///
    /// @param mostValues rows of the page
    /// @return           the caller's: one count on its owner
    PageBytes deltaLengthByteArray(MemorySegment bytes, int mostValues) {
        if (type != Type.BYTE_ARRAY) {
            throw undefined("DELTA_LENGTH_BYTE_ARRAY");
        }
        Buffer lengths = null;
        Buffer buffer = null;
        try {
            DeltaIntegers integers = new DeltaIntegers(bytes, mostValues, context.query(), page);
            lengths = context.allocator().allocate((long) integers.count() * Integer.BYTES);
            MemorySegment strings = bytes.asSlice(integers.decode(lengths.segment(), Integer.BYTES));
            checkLengths(lengths.segment(), integers.count(), strings.byteSize());
            buffer = context.allocator().allocate(strings.byteSize() + (long) integers.count() * Integer.BYTES);
            long from = 0;
            long to = 0;
            for (int i = 0; i < integers.count(); i++) {
                checkCancelled(i);
                int length = lengths.segment().getAtIndex(Layouts.INT, i);
                to = put(buffer.segment(), to, strings, from, 0, length);
                from += length;
            }
            PageBytes plain = PageBytes.of(buffer, 0, to);
            buffer = null;
            return plain;
        } finally {
            release(lengths);
            release(buffer);
        }
    }

    /// For each value how many bytes it shares with the one before, then the rest of each as
    /// DELTA_LENGTH_BYTE_ARRAY.
    ///
    /// @param mostValues rows of the page
    /// @return           the caller's: one count on its owner
    PageBytes deltaByteArray(MemorySegment bytes, int mostValues) {
        if (type != Type.BYTE_ARRAY && type != Type.FIXED_LEN_BYTE_ARRAY) {
            throw undefined("DELTA_BYTE_ARRAY");
        }
        Buffer prefixes = null;
        Buffer lengths = null;
        Buffer buffer = null;
        try {
            DeltaIntegers prefixIntegers = new DeltaIntegers(bytes, mostValues, context.query(), page);
            int count = prefixIntegers.count();
            prefixes = context.allocator().allocate((long) count * Integer.BYTES);
            MemorySegment rest = bytes.asSlice(prefixIntegers.decode(prefixes.segment(), Integer.BYTES));
            DeltaIntegers lengthIntegers = new DeltaIntegers(rest, mostValues, context.query(), page);
            if (lengthIntegers.count() != count) {
                throw page.corrupt(
                        "DELTA_BYTE_ARRAY has %d shared lengths and %d others", count, lengthIntegers.count());
            }
            lengths = context.allocator().allocate((long) count * Integer.BYTES);
            MemorySegment strings = rest.asSlice(lengthIntegers.decode(lengths.segment(), Integer.BYTES));
            checkLengths(lengths.segment(), count, strings.byteSize());
            buffer = context.allocator().allocate(joinedBytes(prefixes.segment(), lengths.segment(), count));
            long from = 0;
            long to = 0;
            long before = 0;
            for (int i = 0; i < count; i++) {
                checkCancelled(i);
                int shared = prefixes.segment().getAtIndex(Layouts.INT, i);
                int length = lengths.segment().getAtIndex(Layouts.INT, i);
                long start = to + (plainBytes == 0 ? Integer.BYTES : 0);
                MemorySegment.copy(buffer.segment(), before, buffer.segment(), start, shared);
                to = put(buffer.segment(), to, strings, from, shared, length);
                from += length;
                before = start;
            }
            PageBytes plain = PageBytes.of(buffer, 0, to);
            buffer = null;
            return plain;
        } finally {
            release(prefixes);
            release(lengths);
            release(buffer);
        }
    }

    /// Puts a PLAIN value: its length where lengths vary, `shared` bytes that are there already, the rest.
    ///
    /// @return the byte after it
    private long put(MemorySegment plain, long to, MemorySegment strings, long from, int shared, int length) {
        long start = to;
        if (plainBytes == 0) {
            plain.set(Layouts.INT, start, shared + length);
            start += Integer.BYTES;
        }
        MemorySegment.copy(strings, from, plain, start + shared, length);
        return start + shared + length;
    }

    private void checkCancelled(int value) {
        if (value % VALUES_UNCHECKED == 0) {
            context.query().checkCancelled();
        }
    }

    private void checkLengths(MemorySegment lengths, int count, long bytes) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            int length = lengths.getAtIndex(Layouts.INT, i);
            sum += length;
            if (length < 0 || sum > bytes) {
                throw page.corrupt("value %d has %d bytes, of all values' %d bytes too many", i, length, bytes);
            }
        }
    }

    /// The bytes of all values as PLAIN.
    private long joinedBytes(MemorySegment prefixes, MemorySegment lengths, int count) {
        long sum = 0;
        long before = 0;
        for (int i = 0; i < count; i++) {
            int shared = prefixes.getAtIndex(Layouts.INT, i);
            if (shared < 0 || shared > before) {
                throw page.corrupt("value %d shares %d bytes with the one before, which has %d", i, shared, before);
            }
            before = (long) shared + lengths.getAtIndex(Layouts.INT, i);
            if (before > Integer.MAX_VALUE || plainBytes != 0 && before != plainBytes) {
                throw page.corrupt(
                        "value %d has %d bytes, expected %s", i, before, plainBytes == 0 ? "fewer" : plainBytes);
            }
            sum += before + (plainBytes == 0 ? Integer.BYTES : 0);
        }
        if (sum > Integer.MAX_VALUE) {
            throw page.corrupt("DELTA_BYTE_ARRAY becomes %d bytes, more than a page may have", sum);
        }
        return sum;
    }

    private static void release(Buffer buffer) {
        if (buffer != null) {
            buffer.release();
        }
    }

    private RuntimeException undefined(String encoding) {
        return page.corrupt("%s is not defined for %s", encoding, type);
    }
}
