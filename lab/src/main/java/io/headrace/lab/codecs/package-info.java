/// Measures encodings by themselves: bytes, speed of encoding and decoding, quality.
///
/// No loader, no threads: one core's work.
@NullMarked
package io.headrace.lab.codecs;

import org.jspecify.annotations.NullMarked;
