/// Laws of the codec bench.
@NullMarked
package io.headrace.lab.codecs;

import org.jspecify.annotations.NullMarked;
