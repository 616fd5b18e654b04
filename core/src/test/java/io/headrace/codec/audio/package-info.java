@NullMarked
package io.headrace.codec.audio;

import org.jspecify.annotations.NullMarked;
