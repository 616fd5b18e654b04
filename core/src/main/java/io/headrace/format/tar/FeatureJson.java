package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.example.ExampleReader;
import io.headrace.format.example.ExampleWriter;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.Closeable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// A serialised `tf.train.Feature` as JSON text: an array of its numbers, or of its texts if all
/// its byte strings are UTF-8, or else `{"base64": […]}`. What JSON has no number for stands as
/// `"NaN"`, `"Infinity"` or `"-Infinity"`. Confined to one thread.
final class FeatureJson implements Closeable {

  private final ExampleReader reader = new ExampleReader();
  private final Block example = new Block(MemoryBudget.unbounded());

  /// {@return the text}
  ///
  /// @throws DecodeException if it is no feature
  byte[] of(MemorySegment feature) throws DecodeException {
    reader.read(ExampleWriter.write(Map.of(), Map.of("", feature), example));
    if (reader.count() != 1) {
      throw new DecodeException(Fault.CORRUPT, "a field that is no tf.train.Feature");
    }
    Object value =
        switch (reader.kind(0)) {
          case NOT_SET -> List.of();
          case INT64S -> reader.int64s(0);
          case FLOATS -> numbers(reader.floats(0));
          case BYTES -> strings(feature.byteSize());
        };
    return (JsonMapper.shared().writeValueAsString(value) + "\n").getBytes(UTF_8);
  }

  private static List<Object> numbers(float[] floats) {
    List<Object> numbers = new ArrayList<>();
    for (float f : floats) {
      numbers.add(Float.isFinite(f) ? (Object) f : Float.toString(f));
    }
    return numbers;
  }

  private Object strings(long most) throws DecodeException {
    List<byte[]> all = new ArrayList<>();
    MemorySegment message = example.memory();
    for (int i = 0; i <= most && reader.bytes(0, i); i++) {
      all.add(message.asSlice(reader.sliceStart(), reader.sliceLength()).toArray(JAVA_BYTE));
    }
    List<String> texts = new ArrayList<>();
    try {
      for (byte[] bytes : all) {
        texts.add(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      }
      return texts;
    } catch (CharacterCodingException e) {
      var base64 = Base64.getEncoder();
      return Map.of("base64", all.stream().map(base64::encodeToString).toList());
    }
  }

  @Override
  public void close() {
    example.close();
  }
}
