package io.headrace.convert.target;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecs;
import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.convert.target.TargetEncoding.Share;
import io.headrace.error.ConfigException;
import io.headrace.sound.AudioTarget;
import io.headrace.spec.Spec;
import io.headrace.tensor.TensorCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/// Encodings as users write them.
final class EncodingText {
  private static final String KNOWN =
      "keep, progressive, baseline, tiled[:MCUS], packed[:MCUS], pyramid[:QUALITY],"
          + " mix:WEIGHT*ENCODING+WEIGHT*ENCODING, "
          + ImageCodecs.spellings()
          + "; for sound "
          + AudioTarget.SPELLINGS
          + "; of steps done ahead also store, zvc, rle, csr, lz4, shuffle, fpc, adaptive, zfp or"
          + " cheapest, each with options";
  private static final int PYRAMID_QUALITY = 90;

  private EncodingText() {}

  static TargetEncoding parse(String spec) {
    String text = spec.toLowerCase(Locale.ROOT).strip();
    if (text.startsWith("mix:") || text.startsWith("mix@")) {
      return mix(text);
    }
    Spec options = Spec.commas("encoding", spec);
    return switch (options.name()) {
      case "keep" -> options.bare(TargetEncoding.Keep::new);
      case "pyramid" ->
          options.end(new TargetEncoding.Pyramid(options.number("quality", PYRAMID_QUALITY)));
      case "store", "zvc", "rle", "csr", "lz4", "shuffle", "fpc", "adaptive", "zfp", "cheapest" ->
          new TargetEncoding.Tensor(TensorCodec.parse(spec));
      case "progressive" -> options.end(new TargetEncoding.Progressive(metadata(options)));
      case "baseline" ->
          options.end(new TargetEncoding.Baseline(!options.takes("standard"), metadata(options)));
      case "tiled" ->
          options.end(new TargetEncoding.Tiled(options.nextNumber(0), metadata(options)));
      case "packed" ->
          options.end(new TargetEncoding.Packed(options.nextNumber(0), metadata(options)));
      default -> {
        ImageEncoding encoding = ImageCodecs.encoding(options);
        AudioTarget sound = encoding == null ? AudioTarget.parse(options) : null;
        if (encoding == null && sound == null) {
          throw options.unknown(KNOWN);
        }
        yield sound != null
            ? new TargetEncoding.Sound(sound)
            : new TargetEncoding.Encode(Objects.requireNonNull(encoding));
      }
    };
  }

  private static TargetEncoding mix(String text) {
    int colon = text.indexOf(':');
    long seed = 0;
    if (text.charAt(3) == '@' && colon > 0) {
      try {
        seed = Long.parseLong(text.substring(4, colon));
      } catch (NumberFormatException e) {
        throw new ConfigException("encoding '" + text + "': the seed is not a number");
      }
    }
    List<Share> shares = new ArrayList<>();
    for (String share : text.substring(colon + 1).split("\\+", -1)) {
      int star = share.indexOf('*');
      if (star < 0) {
        throw new ConfigException(
            "encoding '" + text + "': expected mix:WEIGHT*ENCODING+WEIGHT*ENCODING");
      }
      try {
        double weight = Double.parseDouble(share.substring(0, star));
        shares.add(new Share(weight, parse(share.substring(star + 1))));
      } catch (NumberFormatException e) {
        throw new ConfigException("encoding '" + text + "': a weight is not a number");
      }
    }
    return new TargetEncoding.Mixed(shares, seed);
  }

  private static MetadataPolicy metadata(Spec options) {
    String policy = options.next();
    return switch (policy) {
      case null -> MetadataPolicy.KEEP_ALL;
      case "keep" -> MetadataPolicy.KEEP_ALL;
      case "colour", "color" -> MetadataPolicy.KEEP_ORIENTATION_AND_COLOUR;
      case "drop" -> MetadataPolicy.DROP_ALL_BUT_NEEDED;
      default ->
          throw options.bad("metadata is kept (keep), kept for colour (colour) or dropped (drop)");
    };
  }

  static String text(TargetEncoding encoding) {
    return switch (encoding) {
      case TargetEncoding.Keep() -> "keep";
      case TargetEncoding.Encode(var image) -> image.spec();
      case TargetEncoding.Sound(var sound) -> sound.spec();
      case TargetEncoding.Tensor(var codec) -> codec.spec();
      case TargetEncoding.Progressive(var metadata) -> text("progressive", metadata);
      case TargetEncoding.Baseline(boolean optimised, var metadata) ->
          text(optimised ? "baseline" : "baseline:standard", metadata);
      case TargetEncoding.Tiled(int mcus, var metadata) ->
          text(mcus == 0 ? "tiled" : "tiled:" + mcus, metadata);
      case TargetEncoding.Packed(int mcus, var metadata) ->
          text(mcus == 0 ? "packed" : "packed:" + mcus, metadata);
      case TargetEncoding.Pyramid(int quality) -> "pyramid:" + quality;
      case TargetEncoding.Mixed(var shares, long seed) ->
          (seed == 0 ? "mix:" : "mix@" + seed + ":")
              + shares.stream().map(Share::spec).collect(Collectors.joining("+"));
    };
  }

  private static String text(String before, MetadataPolicy policy) {
    char next = before.indexOf(':') < 0 ? ':' : ',';
    return switch (policy) {
      case KEEP_ALL -> before;
      case KEEP_ORIENTATION_AND_COLOUR -> before + next + "colour";
      case DROP_ALL_BUT_NEEDED -> before + next + "drop";
    };
  }
}
