package io.headrace.codec;

import io.headrace.error.ConfigException;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// One image format: who reads it, who writes it, and how users spell its encodings.
///
/// Holds no state; a worker has decoders and encoders of its own. There is one codec for each
/// [ImageFormat], in a room of its own, and `images.ImageCodecs` lists them all.
public interface ImageCodec {
  /// {@return the format it reads and writes}
  ImageFormat format();

  /// {@return the spellings that [#encoding] takes, such as `png[:LEVEL]`; empty if it takes none}
  String spellings();

  /// {@return the encoding that a spelling names, or null if the name is not one of this format's}
  ///
  /// @throws ConfigException if its options are not understood
  @Nullable ImageEncoding encoding(Spec spec);

  /// {@return a new decoder}
  ///
  /// @param budget for the memory that it needs while it decodes
  /// @param maxPixels columns times rows that an image may have
  /// @throws ConfigException if the C library for the format is missing
  PixelDecoder decoder(MemoryBudget budget, long maxPixels);

  /// {@return a new encoder}
  ///
  /// @throws IllegalStateException if the format is not made of pixels
  /// @throws ConfigException if the C library for the format is missing
  PixelEncoder encoder();
}
