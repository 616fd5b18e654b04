/// Layers of networks, from float32 maps to such maps, with every sum in one fixed order.
///
/// Knows nothing of files, nor of what a network is for.
@NullMarked
package io.headrace.codec.learned.layer;

import org.jspecify.annotations.NullMarked;
