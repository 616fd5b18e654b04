package io.headrace.convert.inspect;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.quality.MsSsim;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// How like the whole pictures those of each fidelity are: what the static tuner of "Progressive
/// Compressed Records" goes by.
public final class FidelityLikeness {
  /// The likeness that is enough, if nothing else is said.
  public static final double ENOUGH = 0.95;

  /// Pictures that are looked at, as in the paper's code.
  public static final int PICTURES = 256;

  private FidelityLikeness() {}

  /// {@return the mean MS-SSIM of pictures at fidelity 1, 2, … with the whole ones; the last is 1}
  ///
  /// @param data indexed, of pictures stored in groups
  /// @param pictures about how many are looked at, spread over the dataset
  /// @throws ConfigException if a fidelity is a picture of another size, as of a pyramid
  /// @throws CorruptDataException if a picture cannot be decoded
  public static double[] of(Dataset data, int pictures) throws IOException {
    if (!data.indexed()) {
      throw new ConfigException(data.root() + " has no index: its fidelities cannot be compared");
    }
    var sums = new double[data.groups()];
    long step = Math.max(1, data.size() / pictures);
    long count = 0;
    var meter = new MsSsim();
    try (Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var decoder = new ImageDecoder()) {
      for (long i = 0; i < data.size(); i += step, count++) {
        try (Arena arena = Arena.ofConfined()) {
          reader.read(i, sample);
          ImageInfo info = decoder.probe(sample.encoded());
          MemorySegment whole = arena.allocate(info.rgbBytes());
          decoder.decodeRgb(sample.encoded(), info, whole);
          MemorySegment part = arena.allocate(info.rgbBytes());
          for (int group = 0; group < sums.length - 1; group++) {
            reader.read(i, group + 1, sample);
            ImageInfo less = decoder.probe(sample.encoded());
            if (less.width() != info.width() || less.height() != info.height()) {
              throw new ConfigException(
                  "%s: fidelity %d of %s is %d × %d pixels of %d × %d: MS-SSIM compares pictures of"
                          .formatted(
                              data.root(),
                              group + 1,
                              sample.key(),
                              less.width(),
                              less.height(),
                              info.width(),
                              info.height())
                      + " one size");
            }
            decoder.decodeRgb(sample.encoded(), less, part);
            sums[group] += meter.measure(whole, part, info.width(), info.height());
          }
        } catch (DecodeException e) {
          throw CorruptDataException.at(sample.location(), e);
        }
      }
    }
    for (int group = 0; group < sums.length; group++) {
      sums[group] = group == sums.length - 1 ? 1 : sums[group] / Math.max(1, count);
    }
    return sums;
  }

  /// {@return the least fidelity whose likeness is enough, from 1; the last if no other is}
  ///
  /// @param likeness as [#of] gives it
  public static int least(List<Double> likeness, double enough) {
    int group = 0;
    while (group < likeness.size() - 1 && likeness.get(group) < enough) {
      group++;
    }
    return group + 1;
  }
}
