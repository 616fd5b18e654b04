@NullMarked
package io.headrace.pipeline.resize;

import org.jspecify.annotations.NullMarked;
