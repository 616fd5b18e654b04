/// Coded data of a JPEG: Huffman tables and codes, bits, the header of a scan, the stream written.
///
/// Knows nothing of planes of coefficients or of tiles, whose rooms share it.
@NullMarked
package io.headrace.codec.jpeg.entropy;

import org.jspecify.annotations.NullMarked;
