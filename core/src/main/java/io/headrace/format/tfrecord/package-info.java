/// TFRecord shards of `tf.train.Example` messages, as TensorFlow writes and reads them.
///
/// Framing, masked checksums and the protobuf wire format; compression is the stream's business.
/// TensorFlow itself reads shards without compression, zlib and gzip ones, and no others: the rest
/// of [io.headrace.codec.stream.StreamKind] are extensions for readers of our own.
@NullMarked
package io.headrace.format.tfrecord;

import org.jspecify.annotations.NullMarked;
