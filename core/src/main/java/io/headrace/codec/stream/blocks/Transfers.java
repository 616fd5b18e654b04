package io.headrace.codec.stream.blocks;

import java.nio.ByteBuffer;

/// Moves bytes between buffers of unequal room.
final class Transfers {
  private Transfers() {}

  /// Moves as many bytes as `from` has and `to` takes.
  static void move(ByteBuffer from, ByteBuffer to) {
    int bytes = Math.min(from.remaining(), to.remaining());
    to.put(to.position(), from, from.position(), bytes);
    to.position(to.position() + bytes);
    from.position(from.position() + bytes);
  }
}
