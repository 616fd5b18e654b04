/// TFRecord shards of `tf.train.Example` messages, as TensorFlow writes and reads them.
///
/// Framing, masked checksums and the protobuf wire format; compression is the stream's business.
@NullMarked
package io.headrace.format.tfrecord;

import org.jspecify.annotations.NullMarked;
