/// Rewrites JPEGs without loss, at coefficient level: baseline or progressive, restarts, Huffman
/// tables, scan groups.
///
/// Own code in Java. Knows nothing of pixels, files or threads.
@NullMarked
package io.headrace.codec.jpeg.coefficients;

import org.jspecify.annotations.NullMarked;
