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
///  |- table t   (rows in memory)
///  |- exports   (batches callers hold)        a buffer is a block of a slab: slab number, offset,
///  `- imports   (memory callers lent)         and the reservation of as many bytes in a budget
/// ```
///
/// Start at [dev.chert.memory.MemoryManager], one an engine; it opens an [dev.chert.memory.Account] a query or table,
/// which makes an [dev.chert.memory.Allocator] an operator, which allocates [dev.chert.memory.Buffer]s.
///
/// - **Reserve, then allocate.** [dev.chert.memory.Budget] is plain arithmetic on three counters, usable alone
///   for what is not a buffer (Java arrays, read-ahead). A reservation is the block that is really taken.
/// - **Spill before it is full.** Below the limit is a soft one (by a quarter of the limit, at most 32 MiB a worker).
///   Above it memory is called tight, and a [dev.chert.memory.GuardedState] moves itself to disk at its next safe
///   point, between two batches, if its query holds more than its fair share: the soft limit, less what the engine
///   itself and its tables hold, shared by the queries that hold anything: tables are no sharers. The headroom is for
///   what the batches in hand still need.
///   A reservation that does not fit all the same asks the query's [dev.chert.memory.Spillable]s, largest first, then
///   those of the queries above their share, on the asking thread and outside every lock, and then fails.
/// - **[dev.chert.memory.SpillFile]s hold blocks,** one file an operator, compressed by LZ4 in pieces of constant size
///   with a checksum each, in a private folder that the next start removes if the process dies. What `spill.limit`
///   counts are the compressed bytes. The scratch of all files is reserved while there are any.
/// - **Slabs belong to the engine** and are lent again, since a fresh one costs 1.4 ms of zeroing. Each is carved
///   into runs of KiB, in four sizes a doubling: a page of 1.1 MiB costs 1.25, not 2. A larger block is a slab of its
///   own; an eighth of the limit may lie idle in those. Slabs have an arena each, not one in common: idle ones are
///   closed when another needs their room. Blocks gather in the slabs that are full already, and slabs may take an
///   eighth more than the limit while what is free lies in pieces: while random blocks come and go and a quarter of
///   the limit is free, a block of a sixteenth of it is refused in 1 of 1,000 cases at most. Buddies of powers of
///   two, within the limit, refused 349 of 1,000 (blocks up to 512 KiB, 64 MiB) and, where blocks were at most 64
///   KiB, all.
/// - **A number instead of an address.** A long string's view holds slab number and offset; it is valid in the
///   whole engine as long as the buffer is held, and reading it goes through the bounds-checked slab of
///   [dev.chert.memory.MemoryManager#slabs()]. The number of a closed slab is given to a later one.
/// - **Closing an account frees all it has,** however the query ended: a register links the live buffers.
///   Counts (one a buffer, never a row) only bring memory back earlier.
/// - **Nothing is bound to a thread,** so a task may move between workers. Locks are held for some tens of
///   nanoseconds, in the order register, pool; both are split so that workers seldom meet.
package dev.chert.memory;
