/// MDS, the shards of MosaicML Streaming: an `index.json` and files of samples made of columns.
///
/// Source: mosaicml-streaming 0.13 (`streaming/base/format/mds`), whose index has version 2. Leaves
/// out remote folders, and shards compressed with Brotli or bare Snappy.
@NullMarked
package io.headrace.interop.mds;

import org.jspecify.annotations.NullMarked;
