/// Compressed byte streams: zlib with its strategies, gzip, zstd, LZ4, Snappy, xz, bzip2, and none;
/// and single blobs, with trained zstd dictionaries.
///
/// Channels in, channels out, through direct buffers. Knows nothing of records.
@NullMarked
package io.headrace.codec.stream;

import org.jspecify.annotations.NullMarked;
