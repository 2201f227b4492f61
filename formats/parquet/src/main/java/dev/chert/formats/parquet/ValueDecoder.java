package dev.chert.formats.parquet;

import dev.chert.batch.Layouts;
import java.lang.foreign.MemorySegment;

/// Decodes the values of a page, one after the other, without NULLs.
///
/// A decoder is chosen once a page, by form and encoding; its loops are those of [PlainValues], [Views] and
/// [HybridDecoder].
sealed interface ValueDecoder {
    /// Writes the next `count` values to rows `row` to `row + count - 1` of a column's values.
    ///
    /// @throws dev.chert.error.CorruptFileException where the page has fewer, or one that its type cannot hold
    void decode(MemorySegment values, int row, int count);

    /// Makes the decoder of PLAIN values.
    ///
    /// @param typeLength bytes of a FIXED_LEN_BYTE_ARRAY
    static ValueDecoder plain(ValueForm form, int typeLength, PageBytes bytes, Location page) {
        return switch (form) {
            case BOOLEAN -> new PlainBits(bytes.bytes(), page);
            case INT32_AS_INT8,
                    INT32_AS_INT16,
                    UINT8_AS_INT16,
                    UINT16_AS_INT32,
                    UINT32_AS_INT64,
                    INT32,
                    INT32_AS_INT64,
                    INT64,
                    INT64_AS_INT128,
                    UINT64_AS_INT128,
                    TIME_MILLIS,
                    TIME_MICROS,
                    TIME_NANOS,
                    INT96_AS_MICROS,
                    FLOAT16,
                    FLOAT,
                    DOUBLE,
                    UUID,
                    FIXED_DECIMAL_AS_INT64,
                    FIXED_DECIMAL_AS_INT128,
                    FIXED_BYTES -> new PlainFixed(form, form.plainBytes(typeLength), bytes, page);
            case DECIMAL_AS_INT64, DECIMAL_AS_INT128 -> new PlainDecimals(form, bytes.bytes(), page);
            case BYTES -> new PlainBytes(bytes, false, page);
            case STRING -> new PlainBytes(bytes, !Utf8.isAscii(bytes.bytes()), page);
        };
    }

    /// Values of one width, side by side.
    final class PlainFixed implements ValueDecoder {
        private final ValueForm form;
        private final int plainBytes;
        private final PageBytes bytes;
        private final Location page;
        private long position;

        private PlainFixed(ValueForm form, int plainBytes, PageBytes bytes, Location page) {
            this.form = form;
            this.plainBytes = plainBytes;
            this.bytes = bytes;
            this.page = page;
        }

        @Override
        public void decode(MemorySegment values, int row, int count) {
            MemorySegment from = take(count).bytes();
            int width = form.physical().byteWidth();
            MemorySegment to = values.asSlice((long) row * width, (long) count * width);
            int bad = switch (form) {
                case INT32, INT64, FLOAT, DOUBLE, UUID -> copy(from, to);
                case INT32_AS_INT8 -> PlainValues.toInt8(from, to, count);
                case INT32_AS_INT16 -> PlainValues.toInt16(from, to, count);
                case UINT8_AS_INT16 -> PlainValues.unsigned8ToInt16(from, to, count);
                case UINT16_AS_INT32 -> PlainValues.unsigned16ToInt32(from, to, count);
                case UINT32_AS_INT64 -> PlainValues.unsigned32ToInt64(from, to, count);
                case INT32_AS_INT64 -> PlainValues.int32ToInt64(from, to, count);
                case INT64_AS_INT128 -> PlainValues.int64ToInt128(from, to, count);
                case UINT64_AS_INT128 -> PlainValues.unsigned64ToInt128(from, to, count);
                case TIME_MILLIS -> PlainValues.time32ToInt64(from, to, count);
                case TIME_MICROS -> PlainValues.timeToInt64(from, 86_400_000_000L, to, count);
                case TIME_NANOS -> PlainValues.timeToInt64(from, 86_400_000_000_000L, to, count);
                case INT96_AS_MICROS -> PlainValues.int96ToMicros(from, to, count);
                case FLOAT16 -> PlainValues.float16ToFloat(from, to, count);
                case FIXED_DECIMAL_AS_INT64 -> PlainValues.bigEndianToInt64(from, plainBytes, to, count);
                case FIXED_DECIMAL_AS_INT128 -> PlainValues.bigEndianToInt128(from, plainBytes, to, count);
                case FIXED_BYTES -> views(position - from.byteSize(), to, count);
                case BOOLEAN, DECIMAL_AS_INT64, DECIMAL_AS_INT128, BYTES, STRING -> throw new AssertionError(form);
            };
            if (bad >= 0) {
                throw page.corrupt(
                        "value 0x%s does not fit its type (%s)",
                        new Bytes(from.asSlice((long) bad * plainBytes, plainBytes)
                                .toArray(Layouts.BYTE)),
                        form);
            }
        }

        private static int copy(MemorySegment from, MemorySegment to) {
            to.copyFrom(from);
            return PlainValues.ALL_FIT;
        }

        private int views(long at, MemorySegment to, int count) {
            Views.ofFixed(bytes.bytes(), at, plainBytes, bytes.owner().slab(), bytes.slabOffset(), to, count);
            return PlainValues.ALL_FIT;
        }

        /// The bytes of the next `count` values, which are passed by.
        PageBytes take(int count) {
            long length = (long) count * plainBytes;
            if (length > bytes.size() - position) {
                throw page.corrupt(
                        "PLAIN holds %d bytes from its value at byte %d on, %d values need %d",
                        bytes.size() - position, position, count, length);
            }
            position += length;
            return bytes.slice(position - length, length);
        }
    }

    /// A bit a value.
    final class PlainBits implements ValueDecoder {
        private final MemorySegment bits;
        private final Location page;
        private long position;

        private PlainBits(MemorySegment bits, Location page) {
            this.bits = bits;
            this.page = page;
        }

        @Override
        public void decode(MemorySegment values, int row, int count) {
            if (count > bits.byteSize() * 8 - position) {
                throw page.corrupt(
                        "PLAIN holds %d bits from bit %d on, expected %d",
                        bits.byteSize() * 8 - position, position, count);
            }
            BitRange.copy(bits, position, values, row, count);
            position += count;
        }
    }

    /// Booleans in runs.
    final class RunLengthBits implements ValueDecoder {
        private final HybridDecoder runs;

        RunLengthBits(HybridDecoder runs) {
            this.runs = runs;
        }

        @Override
        public void decode(MemorySegment values, int row, int count) {
            runs.bits(values, row, count);
        }
    }

    /// Byte strings, each after its length; they become views that point into the page.
    final class PlainBytes implements ValueDecoder {
        private static final int SHOWN_BYTES = 24;

        private final PageBytes bytes;
        private final boolean checksUtf8;
        private final Location page;
        private long position;

        /// @param checksUtf8 whether a value may be no UTF-8 but must
        private PlainBytes(PageBytes bytes, boolean checksUtf8, Location page) {
            this.bytes = bytes;
            this.checksUtf8 = checksUtf8;
            this.page = page;
        }

        @Override
        public void decode(MemorySegment values, int row, int count) {
            int width = ValueForm.BYTES.physical().byteWidth();
            long end = Views.ofPlain(
                    bytes.bytes(),
                    position,
                    bytes.owner().slab(),
                    bytes.slabOffset(),
                    values.asSlice((long) row * width, (long) count * width),
                    count);
            if (end < 0) {
                throw badLength(bytes.bytes(), -1 - end, page);
            }
            if (checksUtf8) {
                long invalid = Utf8.firstInvalid(bytes.bytes(), position, count);
                if (invalid != Utf8.ALL_VALID) {
                    throw notUtf8(invalid);
                }
            }
            position = end;
        }

        private RuntimeException notUtf8(long at) {
            int length = bytes.bytes().get(Layouts.INT, at - Integer.BYTES);
            byte[] shown =
                    bytes.slice(at, Math.min(length, SHOWN_BYTES)).bytes().toArray(Layouts.BYTE);
            return page.corrupt(
                    "a string of %d bytes is not UTF-8: 0x%s%s; it was written by a program that takes other bytes for"
                            + " text",
                    length, new Bytes(shown), length > SHOWN_BYTES ? "..." : "");
        }
    }

    /// Decimals of any length, each after it.
    final class PlainDecimals implements ValueDecoder {
        private final boolean isLong;
        private final MemorySegment bytes;
        private final Location page;
        private long position;

        private PlainDecimals(ValueForm form, MemorySegment bytes, Location page) {
            this.isLong = form == ValueForm.DECIMAL_AS_INT64;
            this.bytes = bytes;
            this.page = page;
        }

        @Override
        public void decode(MemorySegment values, int row, int count) {
            for (int i = 0; i < count; i++) {
                long left = bytes.byteSize() - position - Integer.BYTES;
                int length = left < 0 ? -1 : bytes.get(Layouts.INT, position);
                if (length < 1 || length > left) {
                    throw badLength(bytes, position, page);
                }
                long at = position + Integer.BYTES;
                boolean fits = isLong
                        ? PlainValues.putInt64(bytes, at, length, values, row + i)
                        : PlainValues.putInt128(bytes, at, length, values, row + i);
                if (!fits) {
                    throw page.corrupt(
                            "a decimal of %d bytes at byte %d has more than %d bits", length, at, isLong ? 64 : 128);
                }
                position = at + length;
            }
        }
    }

    private static RuntimeException badLength(MemorySegment bytes, long position, Location page) {
        long left = bytes.byteSize() - position - Integer.BYTES;
        return left < 0
                ? page.corrupt("PLAIN ends at byte %d, where the length of a value is expected", position)
                : page.corrupt(
                        "a value at byte %d claims %d bytes, %d are left",
                        position, bytes.get(Layouts.INT, position), left);
    }
}
