/// What all image formats share: what a picture is, how large it may be, which way up it is.
///
/// Each format has a room of its own below. Knows nothing of files, threads or batches.
@NullMarked
package io.headrace.codec;

import org.jspecify.annotations.NullMarked;
