/// Steps that move pixels: crops, sizes, mirroring, turning.
@NullMarked
package io.headrace.pipeline.geometry;

import org.jspecify.annotations.NullMarked;
