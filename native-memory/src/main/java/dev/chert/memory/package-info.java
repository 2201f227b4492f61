/// Native memory under a limit that holds: who may have how much, and where it comes from.
///
/// ```
/// budgets (numbers)                        slabs (memory)
///
/// engine, 4 GiB                            0  | 2 MiB: |  32K |4|4| 8K  |  16K  |        1 MiB         |
///  |- query 7, 512 MiB                     1  | 2 MiB: |               free                            |
///  |   |- HashJoin 3, build side           2  | 8 MiB, one block: a hash directory                     |
///  |   `- Sort 5                           3  | 2 MiB: ...
///  |- query 8
///  |- exports   (batches callers hold)        a buffer is a block of a slab: slab number, offset,
///  `- imports   (memory callers lent)         and the reservation of as many bytes in a budget
/// ```
///
/// Start at [dev.chert.memory.MemoryManager], one an engine; it opens an [dev.chert.memory.Account] a query,
/// which makes an [dev.chert.memory.Allocator] an operator, which allocates [dev.chert.memory.Buffer]s.
///
/// - **Reserve, then allocate.** [dev.chert.memory.Budget] is plain arithmetic on three counters, usable alone
///   for what is not a buffer (Java arrays, read-ahead). What does not fit asks the query's
///   [dev.chert.memory.Spillable]s, largest first, on the asking thread and outside every lock. A reservation
///   is the block that is really taken.
/// - **Slabs belong to the engine** and are lent again, since a fresh one costs 1.4 ms of zeroing. A binary
///   buddy allocator carves them (1 KiB to 2 MiB). A larger block is a slab of its own, in classes of powers of
///   two; an eighth of the limit may lie idle in those. Slabs have an arena each, not one in common: idle ones
///   are closed when another needs their room, so slab bytes stay within the limit whatever sizes follow each
///   other.
/// - **A number instead of an address.** A long string's view holds slab number and offset; it is valid in the
///   whole engine as long as the buffer is held, and reading it goes through the bounds-checked slab of
///   [dev.chert.memory.MemoryManager#slabs()]. The number of a closed slab is given to a later one.
/// - **Closing an account frees all it has,** however the query ended: a register links the live buffers.
///   Counts (one a buffer, never a row) only bring memory back earlier; [dev.chert.memory.BufferGroup] has one
///   count for many buffers.
/// - **Nothing is bound to a thread,** so a task may move between workers. Locks are held for some tens of
///   nanoseconds, in the order register, pool; both are split so that workers seldom meet. To allocate and release
///   a buffer of 32 KiB takes about 0.2 us (1 million times, 175 to 230 ns once warm, JDK 25, two busy cores).
///
/// Nothing spills yet: [dev.chert.memory.Spillable] is how an operator will be asked to. Files of spilled blocks
/// are to stand in this package, so that pages go out and come back through the allocator that they came from.
package dev.chert.memory;
