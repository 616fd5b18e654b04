package io.headrace.codec.learned;

import io.headrace.codec.HeaderDecoder;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.learned.entropy.RansDecoder;
import io.headrace.codec.learned.layer.FeatureMap;
import io.headrace.codec.learned.layer.Scratch;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Decodes images with the trained network that coded them. One per worker.
final class LearnedDecoder extends HeaderDecoder {
  private final ImageFormat format;
  private final long maxPixels;
  private final Scratch scratch;
  private final RansDecoder[] coders = {new RansDecoder(), new RansDecoder()};
  private final Pixels pixels = new Pixels();
  private final Header header;
  private @Nullable Model model;

  LearnedDecoder(ImageFormat format, MemoryBudget budget, long maxPixels) {
    this.format = format;
    this.maxPixels = maxPixels;
    scratch = new Scratch(budget);
    header = new Header(format);
  }

  @Override
  protected void readHeader(MemorySegment encoded) throws DecodeException {
    header.read(encoded, maxPixels);
  }

  @Override
  protected ImageInfo info(MemorySegment encoded) {
    return new ImageInfo(format, header.width, header.height, 3, 8, null, false, 1);
  }

  @Override
  public ImageEncoding like(int quality) {
    try {
      return LearnedEncoding.of(format, model().file());
    } catch (DecodeException e) {
      throw new IllegalStateException(e);
    }
  }

  private Model model() throws DecodeException {
    Model known = model;
    if (format == ImageFormat.LEARNED) {
      if (known == null || known.digest() != header.digest) {
        known = Models.of(header.digest);
      }
    } else if (known == null
        || known.architecture().number() != header.architecture
        || known.code() != header.code) {
      known = Models.named(header.architecture, header.code);
    }
    model = known;
    if (known.architecture().number() != header.architecture) {
      throw new DecodeException(
          Fault.CORRUPT,
          "%s: architecture %d, its model has %d"
              .formatted(format.label(), header.architecture, known.architecture().number()));
    }
    return known;
  }

  @Override
  public void decode(MemorySegment encoded, ImageInfo info, MemorySegment rgb)
      throws DecodeException {
    ImageLimits.requireBytes(rgb, info.rgbBytes());
    header(encoded);
    ImageLimits.requireSize(format.label(), header.width, header.height, info);
    Network network = model().network();
    try {
      decode(encoded, network, rgb);
    } catch (DecodeException e) {
      scratch.close();
      throw e;
    }
  }

  private void decode(MemorySegment encoded, Network network, MemorySegment rgb)
      throws DecodeException {
    scratch.renew();
    for (int i = 0; i < network.strings(); i++) {
      coders[i].open(encoded, header.starts[i], header.lengths[i]);
    }
    int height = Header.filled(header.height);
    int width = Header.filled(header.width);
    FeatureMap y = network.decode(height, width, coders, scratch);
    FeatureMap picture = network.picture(y, scratch);
    scratch.give(y);
    int found = pixels.take(picture, header.width, header.height, rgb);
    scratch.give(picture);
    if (format == ImageFormat.LEARNED && found != header.crc) {
      throw new DecodeException(
          Fault.CORRUPT,
          "learned: the pixels have CRC-32C %08x, those of the encoder had %08x"
              .formatted(found, header.crc));
    }
  }

  @Override
  public void close() {
    scratch.close();
  }
}
