/// Decodes baseline JPEGs to planes, only as much of them as is asked for.
///
/// Faster than libjpeg-turbo where not the whole picture is wanted, with its samples. Makes no
/// colours, and reads nothing but sound, interleaved, Huffman-coded pictures of 8 bits: whatever
/// else there is, libjpeg-turbo decodes or finds fault with.
@NullMarked
package io.headrace.codec.jpeg.planes;

import org.jspecify.annotations.NullMarked;
