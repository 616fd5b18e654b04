package io.headrace.lab.codecs;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.images.ImageEncoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.codec.jpeg.packed.PackedDecoder;
import io.headrace.codec.jpeg.packed.PackedTranscoder;
import io.headrace.codec.jpeg.turbo.TableMaker;
import io.headrace.codec.quality.MsSsim;
import io.headrace.codec.quality.Psnr;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.Planes;
import io.headrace.natives.WarmKernel;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/// Images and their encodings. The plain form is the pixels, uint8 RGB; of a packed JPEG, which is
/// made of the file, it is planes of luminance and chrominance, as loads decode it.
final class ImageSubject extends Subject<TargetEncoding, Pixels> {
  static final List<String> USUAL =
      List.of(
          Setting.ORIGINAL,
          "packed",
          "jpeg:95",
          "jpeg:85",
          "jpeg:75",
          "jpeg:50",
          "webp:85",
          "webp:75",
          "webp:50",
          "avif:75",
          "avif:50",
          "learned:small:1",
          "learned:small:2",
          "learned:small:3",
          "png:1",
          "png:6",
          "webp-lossless",
          "qoi",
          "lossless:fast",
          "lossless:balanced",
          "lossless:small",
          "lossless:best",
          "bmp",
          "ppm",
          "raw");

  /// How many pictures' likeness is measured, since that is slow.
  private static final int COMPARED = 16;

  /// How long vectors may take to be compiled.
  private static final Duration COMPILING = Duration.ofSeconds(20);

  private final ImageDecoder decoder = new ImageDecoder();
  private final ImageEncoder encoder = new ImageEncoder();
  private final PackedTranscoder packer =
      new PackedTranscoder(MemoryBudget.unbounded(), ImageLimits.MAX_PIXELS);
  private final Planes planes = new Planes();

  /// @param pictures at least one
  ImageSubject(List<Pixels> pictures) {
    super(
        pictures, pictures.size() == 1 ? "1 image" : pictures.size() + " images", Setting.AS_FOUND);
  }

  @Override
  List<Setting<TargetEncoding>> settings(List<String> words) {
    return Setting.pick(USUAL, words, this::encoding);
  }

  /// {@return the encoding of that spelling; tables of quantisation that it wants of the data are
  ///     made of the pictures}
  private TargetEncoding encoding(String spec) {
    TargetEncoding encoding = TargetEncoding.parse(spec);
    if (!(encoding instanceof TargetEncoding.Encode(JpegEncoding jpeg))
        || !(jpeg.tables() instanceof QuantTables.OfData)) {
      return encoding;
    }
    try (var maker = new TableMaker(MemoryBudget.unbounded())) {
      for (Pixels picture : items) {
        maker.add(picture.plain(), picture.width(), picture.height());
      }
      return new TargetEncoding.Encode(maker.make(jpeg));
    } catch (DecodeException e) {
      throw new ConfigException(spec + ": " + e.getMessage());
    }
  }

  @Override
  long encode(Pixels picture, TargetEncoding encoding, Block out) throws DecodeException {
    return switch (encoding) {
      case TargetEncoding.Encode(var to) ->
          encoder.encode(picture.plain(), picture.width(), picture.height(), 3, to, out);
      case TargetEncoding.Packed(int mcus, var metadata) ->
          packer.pack(picture.stored(), mcus, metadata, out);
      default ->
          throw new ConfigException(
              "encoding '%s' is none of a picture by itself".formatted(encoding.spec()));
    };
  }

  @Override
  void decode(Pixels picture, MemorySegment encoded, Setting<TargetEncoding> setting)
      throws DecodeException {
    var whole = new Region(0, 0, picture.height(), picture.width());
    if (!packed(setting)
        || !decoder.packed().decodePlanes(encoded, whole, JpegScale.FULL, planes)) {
      decode(encoded);
    }
  }

  private void decode(MemorySegment encoded) throws DecodeException {
    ImageInfo info = decoder.probe(encoded);
    decoder.decodeRgb(encoded, info, decoded.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes()));
  }

  private static boolean packed(Setting<TargetEncoding> setting) {
    return setting.encoding() instanceof TargetEncoding.Packed;
  }

  @Override
  void ready(Setting<TargetEncoding> setting) {
    if (packed(setting)) {
      boolean _ = PackedDecoder.ready();
      try {
        WarmKernel.await(COMPILING);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  String note(Setting<TargetEncoding> setting) {
    return packed(setting)
        ? setting.name() + " is decoded to planes of luminance and chrominance, as loads do it"
        : "";
  }

  /// Compares the first few pictures closely, and all for equality where those are equal.
  @Override
  Quality compare(List<MemorySegment> encoded, Setting<TargetEncoding> setting)
      throws DecodeException, IOException {
    var meter = new MsSsim();
    double squares = 0;
    long samples = 0;
    double ssimSum = 0;
    double multiScaleSum = 0;
    int compared = 0;
    boolean equal = true;
    for (int i = 0; i < encoded.size() && (equal || i < COMPARED); i++) {
      Pixels picture = items.get(i);
      decode(encoded.get(i));
      long bytes = picture.plain().byteSize();
      MemorySegment rgb = decoded.memory().asSlice(0, bytes);
      boolean same = rgb.mismatch(picture.plain()) < 0;
      equal &= same;
      if (i < COMPARED) {
        compared++;
        samples += bytes;
        multiScaleSum +=
            same ? 1 : meter.measure(rgb, picture.plain(), picture.width(), picture.height());
        ssimSum += same ? 1 : meter.ssim();
        squares += same ? 0 : bytes * Math.pow(10, -Psnr.measure(rgb, picture.plain()) / 10);
      }
    }
    return equal
        ? new Quality.Exact()
        : new Quality.Picture(
            -10 * Math.log10(squares / samples), ssimSum / compared, multiScaleSum / compared);
  }

  @Override
  public void close() {
    super.close();
    decoder.close();
    encoder.close();
    packer.close();
  }
}
