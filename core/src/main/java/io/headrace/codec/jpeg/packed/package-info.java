/// JPEG's coefficients in an order made for the decoder: the same picture, fewer bytes, a crop
/// without the rest of it.
///
/// Leaves out the inverse DCT, which `codec.jpeg.planes` has, and everything about containers.
@NullMarked
package io.headrace.codec.jpeg.packed;

import org.jspecify.annotations.NullMarked;
