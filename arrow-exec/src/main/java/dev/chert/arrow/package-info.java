/// In and out of arrow-java, and Arrow IPC of our own.
///
/// **arrow-java.** Start with [ArrowBatchReader], an [org.apache.arrow.vector.ipc.ArrowReader] over the results of a
/// query, and [ArrowSource], which reads a caller's [org.apache.arrow.vector.VectorSchemaRoot]s. [ArrowSchemas] maps
/// the types. Buffers are copied at this border, both ways: wrapping an address that arrow-java allocated would need
/// native access, which a plain `java -cp` does not grant, and an imported batch that is copied can be closed by its
/// owner at once. Strings leave as offsets and bytes (`Utf8`), the form that every Arrow consumer reads, and
/// dictionary columns leave flat. arrow-java itself uses `sun.misc.Unsafe`, about which JDK 25 prints a warning once;
/// nothing outside this package touches it.
///
/// **IPC.** [RecordBatchEncoder] and [RecordBatchDecoder] write and read record batch messages over segments, without
/// arrow-java, which cannot do so on a plain `java -cp` and is never loaded by the command line. They are the one
/// place for bytes of batches outside of memory: what spills now ([SpilledBatches], rows on disk), IPC files, streams
/// and shuffles between machines later. A message says nothing of its types; whoever reads it knows them.
///
/// ```text
/// a column is written as          Arrow type                          buffers
/// BOOLEAN                         Bool                                validity, bits
/// integers, REAL, DOUBLE          Int, FloatingPoint                  validity, values
/// DATE, TIME, TIMESTAMP, ...      as in ArrowSchemas, TIME in 64 bits validity, values
/// DECIMAL                         Decimal of 64 or 128 bits           validity, values: 8 or 16 bytes a row
/// CHAR, VARCHAR, VARBINARY        Utf8View, BinaryView                validity, views, long strings
/// UUID                            FixedSizeBinary(16)                 validity, values
/// ARRAY, ROW                      List, Struct                        validity, offsets (ARRAY), then children
/// MAP                             Map: a list of Struct(key, value)   validity, offsets, validity, then children
/// NULL                            Null                                none
/// OPAQUE                          Int, a handle                       validity, values; in this process only
/// ```
///
/// A DECIMAL column is 64 bits wide while its values fit, so its width changes from batch to batch; it is told by the
/// length of its buffer, which is therefore exact, without padding. Constants and dictionaries are written flat, and
/// only selected rows are written.
package dev.chert.arrow;
