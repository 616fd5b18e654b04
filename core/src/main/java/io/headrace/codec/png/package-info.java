/// Reads PNG, down to the last row of a window: with our own inflate, and through libspng what is
/// unusual or wrong. Writes PNG through libspng.
@NullMarked
package io.headrace.codec.png;

import org.jspecify.annotations.NullMarked;
