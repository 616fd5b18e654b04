/// Streams that are a row of blocks, each compressed by itself: LZ4 frames, Snappy frames and the
/// format of lzop.
@NullMarked
package io.headrace.codec.stream.blocks;

import org.jspecify.annotations.NullMarked;
