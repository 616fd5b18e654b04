@NullMarked
package io.headrace.pipeline.pixels;

import org.jspecify.annotations.NullMarked;
