/// Laws of TFRecord reading and writing, checked against files that TensorFlow wrote.
@NullMarked
package io.headrace.format.tfrecord;

import org.jspecify.annotations.NullMarked;
