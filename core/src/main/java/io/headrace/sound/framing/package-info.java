/// How sound lies in a file: chunks of WAV, pages of Ogg, frames of MP3, tags around them.
///
/// Knows nothing of samples.
@NullMarked
package io.headrace.sound.framing;

import org.jspecify.annotations.NullMarked;
