package io.headrace.serve;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A consumer that says what a test wants it to, sense or not.
final class Peer implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final SocketChannel channel;

  Peer(Path socket) throws IOException {
    channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
  }

  /// {@return a consumer that has mapped nothing, but says so}
  static Peer greeted(Path socket) throws IOException {
    return greeted(socket, "");
  }

  /// @param wants members of its greeting, each after a comma
  static Peer greeted(Path socket, String wants) throws IOException {
    var peer = new Peer(socket);
    peer.say("{'type':'hello','protocol':1%s}".formatted(wants));
    JsonNode _ = peer.hear("hello");
    peer.say("{'type':'mapped'}");
    return peer;
  }

  /// Sends a JSON text in which quotes are single ones.
  void say(String json) throws IOException {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    raw(text.length, text);
  }

  void raw(int length, byte[] body) throws IOException {
    ByteBuffer frame =
        ByteBuffer.allocate(4 + body.length).order(ByteOrder.LITTLE_ENDIAN).putInt(length);
    frame.put(body).flip();
    while (frame.hasRemaining()) {
      int _ = channel.write(frame);
    }
  }

  /// Sends the length of a message and less than that of it, and nothing more.
  void cut(byte[] part) throws IOException {
    raw(2 * part.length, part);
    SocketChannel _ = channel.shutdownOutput();
  }

  /// Waits for any message.
  JsonNode hear() throws IOException {
    int length = ByteBuffer.wrap(read(4)).order(ByteOrder.LITTLE_ENDIAN).getInt();
    return JSON.readTree(read(length));
  }

  /// Waits for a message that has to be of a type.
  JsonNode hear(String type) throws IOException {
    JsonNode message = hear();
    if (!message.path("type").asString().equals(type)) {
      throw new AssertionError("expected " + type + ": " + message);
    }
    return message;
  }

  /// {@return whether anything is there within some milliseconds}
  boolean silent(int millis) throws IOException, InterruptedException {
    channel.configureBlocking(false);
    ByteBuffer one = ByteBuffer.allocate(1);
    Thread.sleep(millis);
    int read = channel.read(one);
    channel.configureBlocking(true);
    return read == 0;
  }

  private byte[] read(int count) throws IOException {
    byte[] bytes = new byte[count];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new IOException("the server closed the connection");
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
