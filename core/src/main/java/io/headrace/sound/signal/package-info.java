/// What is done to samples of sound: other rates, fewer channels, spectra, mel bands, noise.
///
/// Knows nothing of formats, files or threads.
@NullMarked
package io.headrace.sound.signal;

import org.jspecify.annotations.NullMarked;
