/// Compressed byte streams: zlib with its strategies, gzip, zstd, and none.
///
/// Channels in, channels out, through direct buffers. Knows nothing of records.
@NullMarked
package io.headrace.codec.stream;

import org.jspecify.annotations.NullMarked;
