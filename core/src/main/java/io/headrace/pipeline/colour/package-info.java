/// Steps that change colours of pixels, which are whole numbers from 0 to 255.
///
/// The arithmetic is that of torchvision's functional forms on uint8, within one level.
@NullMarked
package io.headrace.pipeline.colour;

import org.jspecify.annotations.NullMarked;
