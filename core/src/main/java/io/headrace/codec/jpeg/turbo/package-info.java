/// Reads and writes JPEG through libjpeg-turbo.
///
/// Where the library only warns, the coefficients say whether the picture is whole.
@NullMarked
package io.headrace.codec.jpeg.turbo;

import org.jspecify.annotations.NullMarked;
