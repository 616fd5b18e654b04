/// Arrow files, as `save_to_disk` of the Hugging Face `datasets` library writes and names them.
///
/// Read by our own code, since the format's Java library brings 5 MB and opens the JDK's insides:
/// metadata are FlatBuffers, values lie where these say, so that any row is read by itself.
/// Sources:
/// `Columnar.rst`, `Schema.fbs` and `Message.fbs` of Apache Arrow, version 1.5 of the format, and
/// `internals.md` of FlatBuffers. Leaves out writing, big-endian files, unions, views, and bodies
/// that are compressed; columns that are dictionaries, dates and the like are left out and named.
@NullMarked
package io.headrace.interop.arrow;

import org.jspecify.annotations.NullMarked;
