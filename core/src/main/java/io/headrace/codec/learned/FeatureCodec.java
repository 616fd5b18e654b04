package io.headrace.codec.learned;

import io.headrace.codec.BigEndian;
import io.headrace.codec.learned.entropy.RansDecoder;
import io.headrace.codec.learned.entropy.RansEncoder;
import io.headrace.codec.learned.layer.FeatureMap;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.weights.Safetensors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// Codes feature vectors, such as CLIP's of pictures, with an entropy bottleneck: what lossyless
/// does. What comes back is a feature vector near the one that went in, never a picture. Source: Y.
/// Dubois et al., "Lossy Compression for Lossless Prediction"; `lossyless_folder.py` in lbhm/dl2.
///
/// A coded vector is a u32 in network order, the bytes of the string, and the string, as dl2 writes
/// it. Used by one thread at a time.
public final class FeatureCodec {
  private final RansEncoder encoder = new RansEncoder();
  private final RansDecoder decoder = new RansDecoder();
  private final Bottleneck bottleneck;
  private final float[] factors;
  private final float[] bias;
  private final FeatureMap map;

  /// A codec of a file of weights, which `python -m headrace.compressai` makes: the bottleneck,
  /// `scaling` and `biasing`.
  ///
  /// @throws ConfigException if one of them is missing or of another size
  public FeatureCodec(Path file) throws IOException {
    var layers = new Layers(Safetensors.read(file));
    bottleneck = layers.bottleneck("entropy_bottleneck");
    int size = bottleneck.tables().size();
    factors = layers.floats("scaling", size);
    for (int i = 0; i < size; i++) {
      factors[i] = (float) StrictMath.exp(factors[i]);
    }
    bias = layers.floats("biasing", size);
    map = new FeatureMap(new float[size]);
    map.channels = size;
    map.height = 1;
    map.width = 1;
  }

  /// {@return numbers of a vector}
  public int size() {
    return map.channels;
  }

  /// {@return a vector, coded}
  ///
  /// @param vector of [#size] numbers
  public byte[] encode(float[] vector) {
    if (vector.length != size()) {
      throw new IllegalArgumentException(
          "%d numbers: expected %d".formatted(vector.length, size()));
    }
    for (int i = 0; i < vector.length; i++) {
      map.data[i] = (vector[i] + bias[i]) * factors[i];
      if (!(Math.abs(map.data[i]) < 1 << 29)) {
        throw new IllegalArgumentException(
            "number %d of the vector is %s: it cannot be coded".formatted(i, vector[i]));
      }
    }
    try {
      bottleneck.code(map, encoder);
    } catch (DecodeException e) {
      throw new IllegalStateException(e); // only decoders throw it
    }
    int length = encoder.finish(bottleneck.tables());
    var coded = new byte[Integer.BYTES + length];
    ByteBuffer.wrap(coded).putInt(length);
    encoder.write(MemorySegment.ofArray(coded), Integer.BYTES);
    return coded;
  }

  /// {@return the vector of a coded one}
  ///
  /// @throws DecodeException with [Fault#TRUNCATED] if it is cut, [Fault#CORRUPT] if it is damaged
  ///     and this shows
  public float[] decode(byte[] coded) throws DecodeException {
    MemorySegment bytes = MemorySegment.ofArray(coded);
    long length = coded.length < Integer.BYTES ? -1 : BigEndian.number(bytes, 0, Integer.BYTES);
    if (length < 0 || length > coded.length - Integer.BYTES) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "lossyless: a string of %d bytes, %d are there"
              .formatted(length, Math.max(0, coded.length - Integer.BYTES)));
    }
    decoder.open(bytes, Integer.BYTES, length);
    bottleneck.code(map, decoder);
    var vector = new float[size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = map.data[i] / factors[i] - bias[i];
    }
    return vector;
  }
}
