package io.headrace.lab.tune;

import io.headrace.convert.Representation;
import io.headrace.convert.Resize;
import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The representations tried by default.
public final class Candidates {
  /// Container, compression, encoding, as users spell them; what wins most often and is converted
  /// fast comes first. Another one joins by a line.
  private static final List<String> USUAL =
      List.of(
          "race none keep",
          "race none tiled",
          "race none packed",
          "race none raw",
          "race none jpeg:75",
          "race none lossless",
          "race none pyramid",
          "race none jpeg:90",
          "race none jpeg:50",
          "race:blobs=lz4 none raw",
          "race:blobs=zstd none raw",
          "tfrecord none keep",
          "tfrecord zstd keep",
          "tfrecord none raw",
          "tfrecord zstd raw",
          "tfrecord none jpeg:85",
          "tfrecord none jpeg:75",
          "race none qoi",
          "race none progressive",
          "tfrecord zlib keep",
          "tfrecord gzip keep",
          "race none webp:85",
          "race none png",
          "race none webp-lossless",
          "race none avif:60");

  private static final List<String> SOUNDS =
      List.of(
          "tfrecord none keep",
          "race none keep",
          "tfrecord none flac:5",
          "race none flac:5",
          "tfrecord none wav",
          "race none wav");

  private static final Pattern SHORTER = Pattern.compile("resize_shorter=(\\d{1,6})(?=,|$)");

  private Candidates() {}

  /// {@return the dataset as it is, and the usual representations}
  public static List<Candidate> standard() {
    List<Candidate> all = new ArrayList<>();
    all.add(new Candidate("original", null));
    USUAL.forEach(line -> all.add(parse(line)));
    return all;
  }

  /// {@return those that are tried for content and a pipeline}
  ///
  /// For images they are [#standard], and some with what the pipeline's first step makes smaller
  /// already stored so. For sounds they are the original, and TFRecord and race with the sounds as
  /// they are, as FLAC and as plain samples.
  public static List<Candidate> of(Content content, Pipeline pipeline) {
    if (content != Content.IMAGE) {
      List<Candidate> sounds = new ArrayList<>();
      sounds.add(new Candidate("original", null));
      SOUNDS.forEach(line -> sounds.add(parse(line)));
      return sounds;
    }
    List<Candidate> all = standard();
    Resize ahead = ahead(pipeline);
    if (ahead != null) {
      for (String encoding : List.of("raw", "lossless", "jpeg:90")) {
        all.add(parse("race none %s %s".formatted(encoding, ahead.spec())));
      }
    }
    return all;
  }

  /// {@return what the first step of a pipeline makes of every image, if it only makes it smaller}
  private static @Nullable Resize ahead(Pipeline pipeline) {
    Matcher first = SHORTER.matcher(pipeline.spec());
    return first.lookingAt()
        ? new Resize(Resize.Side.SHORTEST, Integer.parseInt(first.group(1)))
        : null;
  }

  /// {@return the candidate written as a container, a compression, an encoding and perhaps a
  ///     resize, with blanks between}
  ///
  /// @throws ConfigException if it is none
  public static Candidate parse(String line) {
    String[] words = line.strip().split("\\s+", -1);
    if (words.length < 3 || words.length > 4) {
      throw new ConfigException(
          "candidate '%s': expected FORMAT COMPRESSION ENCODING [RESIZE], such as".formatted(line)
              + " 'race none jpeg:75'");
    }
    Representation to =
        Representation.of(words[0], words[1], words[2], words.length == 4 ? words[3] : "keep");
    return new Candidate(to.label(), to);
  }
}
