/// In and out of arrow-java.
///
/// Start with [ArrowBatchReader], an [org.apache.arrow.vector.ipc.ArrowReader] over the results of a query, and
/// [ArrowSource], which reads a caller's [org.apache.arrow.vector.VectorSchemaRoot]s. [ArrowSchemas] maps the
/// types.
///
/// Buffers are copied at this border, both ways: wrapping an address that arrow-java allocated would need native
/// access, which a plain `java -cp` does not grant, and an imported batch that is copied can be closed by its
/// owner at once. Strings leave as offsets and bytes (`Utf8`), the form that every Arrow consumer reads, and
/// dictionary columns leave flat.
///
/// arrow-java itself uses `sun.misc.Unsafe`, about which JDK 25 prints a warning once; nothing outside this
/// package touches arrow-java.
package dev.chert.arrow;
