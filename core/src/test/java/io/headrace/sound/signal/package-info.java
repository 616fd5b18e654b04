@NullMarked
package io.headrace.sound.signal;

import org.jspecify.annotations.NullMarked;
