/// FLAC: what a stream says about itself, and the samples of its frames.
///
/// What becomes of damaged frames is the business of the room above.
@NullMarked
package io.headrace.sound.flac;

import org.jspecify.annotations.NullMarked;
