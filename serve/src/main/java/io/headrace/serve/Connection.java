package io.headrace.serve;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Messages to and from a consumer.
///
///     uint32    bytes that follow, little-endian
///     …         a JSON object in UTF-8; its `type` says what it means
///
/// One thread may receive while any others send.
final class Connection {
  /// Longest message of a consumer, in bytes.
  static final int MAX_RECEIVED = 64 << 10;

  private final SocketChannel channel;
  private final ByteBuffer head = little(Integer.BYTES);
  private final byte[] body = new byte[MAX_RECEIVED];

  /// @param channel blocking, the caller's to close
  Connection(SocketChannel channel) {
    this.channel = channel;
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Waits for the next message.
  ///
  /// @return it, or null if the consumer left between two messages
  /// @throws ProtocolException if it is none: too long, cut short, not a JSON object
  @Nullable JsonNode receive() throws IOException {
    if (!fill(head.clear(), true)) {
      return null;
    }
    int length = head.flip().getInt();
    if (length < 2 || length > MAX_RECEIVED) {
      throw new ProtocolException(
          "a message of %d bytes: expected 2 to %d"
              .formatted(Integer.toUnsignedLong(length), MAX_RECEIVED));
    }
    fill(ByteBuffer.wrap(body, 0, length), false);
    JsonNode message;
    try {
      message = JsonMapper.shared().readTree(body, 0, length);
    } catch (JacksonException e) {
      throw new ProtocolException("a message that is not JSON: " + e.getOriginalMessage());
    }
    if (!message.isObject()) {
      throw new ProtocolException("a message that is not a JSON object");
    }
    return message;
  }

  private boolean fill(ByteBuffer buffer, boolean mayEnd) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        if (mayEnd && buffer.position() == 0) {
          return false;
        }
        throw new ProtocolException("the connection ended within a message");
      }
    }
    return true;
  }

  /// Sends a message.
  ///
  /// @throws ConsumerGoneException if nobody is there to read it
  void send(Map<String, Object> message) throws ConsumerGoneException {
    byte[] json = JsonMapper.shared().writeValueAsBytes(message);
    ByteBuffer frame = little(Integer.BYTES + json.length).putInt(json.length).put(json).flip();
    synchronized (this) {
      try {
        while (frame.hasRemaining()) {
          int _ = channel.write(frame);
        }
      } catch (IOException e) {
        throw new ConsumerGoneException(e);
      }
    }
  }

  /// Ends a [#receive] that waits, and all that follow, as if the consumer had left.
  void stopReceiving() {
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      return; // closed already, to the same end
    }
  }

  /// Ends both directions. The channel stays open: closing one that the process was started with
  /// would take its standard error away.
  void end() {
    stopReceiving();
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      return; // closed already, to the same end
    }
  }

  /// {@return a member of a message that is a whole number of at least 0}
  static long number(JsonNode message, String name) throws ProtocolException {
    JsonNode value = message.path(name);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
      throw new ProtocolException(
          "%s of a message '%s' is not a whole number of at least 0"
              .formatted(name, message.path("type").asString("")));
    }
    return value.asLong();
  }
}
