/// `tf.train.Example` messages: named lists of numbers and byte strings. A sample keeps its fields
/// in their wire format, whatever container it comes from.
///
/// Reads and writes messages in memory; knows nothing of files.
@NullMarked
package io.headrace.format.example;

import org.jspecify.annotations.NullMarked;
