/// Steps on values of channels, their type and the order of axes.
@NullMarked
package io.headrace.pipeline.values;

import org.jspecify.annotations.NullMarked;
