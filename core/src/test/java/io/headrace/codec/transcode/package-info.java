@NullMarked
package io.headrace.codec.transcode;

import org.jspecify.annotations.NullMarked;
