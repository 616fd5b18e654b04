/// All image formats together: the decoder and the encoder that take any of them.
///
/// The list of formats stands here, above them all. Knows nothing of files or threads.
@NullMarked
package io.headrace.codec.images;

import org.jspecify.annotations.NullMarked;
