package dev.chert.formats.parquet;

import dev.chert.memory.Buffer;
import java.lang.foreign.MemorySegment;

/// Bytes of a page, decompressed, and the buffer that keeps them: what columns may point into.
///
/// @param owner      holds the bytes; a column that points into them retains it
/// @param bytes      exactly the bytes of the page, or of the part that is meant
/// @param slabOffset where in the owner's slab they begin
record PageBytes(Buffer owner, MemorySegment bytes, int slabOffset) {
    static PageBytes of(Buffer owner, long from, long length) {
        return new PageBytes(owner, owner.segment().asSlice(from, length), (int) (owner.slabOffset() + from));
    }

    PageBytes from(long offset) {
        return slice(offset, bytes.byteSize() - offset);
    }

    PageBytes slice(long offset, long length) {
        return new PageBytes(owner, bytes.asSlice(offset, length), (int) (slabOffset + offset));
    }

    long size() {
        return bytes.byteSize();
    }
}
