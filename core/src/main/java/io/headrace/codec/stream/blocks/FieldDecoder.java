package io.headrace.codec.stream.blocks;

import io.headrace.codec.stream.coder.Decoder;
import io.headrace.error.DecodeException;
import java.nio.ByteBuffer;

/// A decoder for formats that are a row of fields and blocks: each is collected whole, then taken
/// apart.
abstract class FieldDecoder implements Decoder {
  /// The field or block being collected.
  ByteBuffer field = ByteBuffer.allocate(0);

  /// Bytes that it has.
  int wanted;

  /// What was decoded; what waits for room is between position and limit.
  ByteBuffer plain = ByteBuffer.allocate(0);

  /// Bytes to pass over, after which the stream ends; -1 for none.
  long skip = -1;

  @Override
  public final boolean decode(ByteBuffer in, ByteBuffer out) throws DecodeException {
    while (true) {
      Transfers.move(plain, out);
      if (plain.hasRemaining()) {
        return false;
      }
      if (skip >= 0) {
        int bytes = (int) Math.min(skip, in.remaining());
        in.position(in.position() + bytes);
        skip -= bytes;
        return skip == 0;
      }
      Transfers.move(in, field.limit(wanted));
      if (field.hasRemaining()) {
        return false;
      }
      if (take()) {
        return true;
      }
    }
  }

  /// Takes one whole field.
  ///
  /// @return whether it was the last of the stream
  abstract boolean take() throws DecodeException;
}
