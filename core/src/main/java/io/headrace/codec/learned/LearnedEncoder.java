package io.headrace.codec.learned;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.PixelEncoder;
import io.headrace.codec.learned.entropy.RansEncoder;
import io.headrace.codec.learned.layer.FeatureMap;
import io.headrace.codec.learned.layer.Scratch;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Encodes images with a trained network, and decodes them at once to note what comes out. One per
/// worker.
final class LearnedEncoder implements PixelEncoder {
  /// Half the heap: networks of many channels take some hundred bytes a pixel.
  private final Scratch scratch =
      new Scratch(new MemoryBudget(Runtime.getRuntime().maxMemory() / 2));

  private final RansEncoder[] coders = {new RansEncoder(), new RansEncoder()};
  private final int[] bytes = new int[coders.length];
  private final Pixels pixels = new Pixels();
  private final Header header;

  LearnedEncoder(ImageFormat format) {
    header = new Header(format);
  }

  @Override
  public long encode(
      MemorySegment source, int width, int height, int channels, ImageEncoding encoding, Block out)
      throws DecodeException {
    ImageLimits.requireEncodable(source, width, height, channels);
    var how = (LearnedEncoding) encoding;
    if (how.format() == ImageFormat.PTCI) {
      ImageLimits.requireEdge("ptci", width, height, 0xffff); // longer ones are not recognised
    }
    Model model = Models.of(how.model(), how.quality());
    if (how.format() == ImageFormat.PTCI && !model.ptci()) {
      throw new ConfigException(
          "%s: the .ptci file would name the model '%s', not '%s': rename it or export it again"
              .formatted(
                  how.spec(),
                  Models.ptci(model.architecture().number(), model.code()),
                  model.file()));
    }
    try {
      return encode(source, width, height, channels, model, out);
    } catch (DecodeException e) {
      scratch.close();
      throw e;
    }
  }

  private long encode(
      MemorySegment source, int width, int height, int channels, Model model, Block out)
      throws DecodeException {
    scratch.renew();
    for (RansEncoder coder : coders) {
      coder.clear(); // of a picture that failed
    }
    Network network = model.network();
    FeatureMap picture = scratch.take(3, Header.filled(height), Header.filled(width));
    pixels.fill(source, width, height, channels, picture);
    FeatureMap y = network.encode(picture, coders, scratch);
    scratch.give(picture);
    for (int i = 0; i < network.strings(); i++) {
      bytes[i] = coders[i].finish(network.tables(i));
    }
    FeatureMap shown = network.picture(y, scratch);
    scratch.give(y);
    header.crc = pixels.take(shown, width, height, MemorySegment.NULL);
    scratch.give(shown);
    header.digest = model.digest();
    header.architecture = model.architecture().number();
    header.code = model.code();
    header.height = height;
    header.width = width;
    long size = header.size(network.strings(), bytes);
    MemorySegment to = out.ensure(size);
    header.write(to, network, bytes);
    for (int i = 0; i < network.strings(); i++) {
      coders[i].write(to, header.starts[i]);
    }
    return size;
  }

  @Override
  public void close() {
    scratch.close();
  }
}
