/// Reads and writes the formats that need no library: BMP, PNM, QOI and raw tensors.
@NullMarked
package io.headrace.codec.plain;

import org.jspecify.annotations.NullMarked;
