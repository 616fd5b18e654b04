package io.headrace.lab.tune;

import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/// The representations tried by default.
public final class Candidates {
  /// Container, compression, encoding, as users spell them; what wins most often and is converted
  /// fast comes first. Another one joins by a line.
  private static final List<String> USUAL =
      List.of(
          "race none keep",
          "race none tiled",
          "race none packed",
          "race none pyramid",
          "race none raw",
          "race none jpeg:75",
          "race none lossless",
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

  /// Learned codecs, whose networks take so long that a few pictures tell enough.
  private static final String LEARNED = "race none learned";

  private static final List<String> SOUNDS =
      List.of(
          "tfrecord none keep",
          "race none keep",
          "tfrecord none flac:5",
          "race none flac:5",
          "tfrecord none wav",
          "race none wav");

  /// Encodings of pictures on which the first steps are done.
  private static final List<String> PICTURES = List.of("raw", "lossless", "jpeg:90");

  /// Encodings of what all steps before the first random one give.
  private static final List<String> TENSORS = List.of("store", "lz4", "shuffle", "adaptive");

  private static final String AHEAD = "steps=";

  private Candidates() {}

  /// {@return the dataset as it is, and the usual representations}
  public static List<Candidate> standard() {
    List<Candidate> all = new ArrayList<>();
    all.add(new Candidate("original", null));
    USUAL.forEach(line -> all.add(parse(line)));
    return all;
  }

  /// {@return those of [#of], and for images a learned codec: few samples are enough to judge it}
  public static List<Candidate> withLearned(Content content, Pipeline pipeline) {
    List<Candidate> all = of(content, pipeline);
    if (content == Content.IMAGE) {
      all.add(parse(LEARNED));
    }
    return all;
  }

  /// {@return those that are tried for content and a pipeline}
  ///
  /// For images they are [#standard], for sounds the original, and TFRecord and race with the
  /// sounds as they are, as FLAC and as plain samples. Both also with steps done ahead: those after
  /// which there is still a picture or samples of sound, and all before the first random one.
  public static List<Candidate> of(Content content, Pipeline pipeline) {
    List<Candidate> all = new ArrayList<>(List.of(new Candidate("original", null)));
    (content == Content.IMAGE ? USUAL : SOUNDS).forEach(line -> all.add(parse(line)));
    boolean image = content == Content.IMAGE;
    Pipeline first = image ? pipeline.imagePrefix() : samplesPrefix(pipeline);
    Pipeline most = pipeline.deterministicPrefix();
    if (!first.steps().isEmpty() && !first.givesDecoded()) {
      for (String encoding : image ? PICTURES : List.of("keep")) {
        add(all, encoding, first);
      }
    }
    if (most.steps().size() > first.steps().size()) {
      TENSORS.forEach(encoding -> add(all, encoding, most));
    }
    return all;
  }

  private static void add(List<Candidate> all, String encoding, Pipeline steps) {
    try {
      all.add(parse("race none %s steps=%s".formatted(encoding, steps.spec())));
    } catch (ConfigException e) {
      // what these steps give is not for this encoding
    }
  }

  /// {@return the first steps that give samples of sound and draw no random numbers}
  private static Pipeline samplesPrefix(Pipeline pipeline) {
    int position = pipeline.firstRandomStep();
    while (position > 0 && pipeline.split(position).offline().givesSpectrogram()) {
      position--;
    }
    return pipeline.split(position).offline();
  }

  /// {@return the candidate written as a container, a compression, an encoding, and perhaps a
  ///     resize or the steps done ahead, with blanks between}
  ///
  /// @throws ConfigException if it is none
  public static Candidate parse(String line) {
    String[] words = line.strip().split("\\s+", -1);
    if (words.length < 3 || words.length > 4) {
      throw new ConfigException(
          "candidate '%s': expected FORMAT COMPRESSION ENCODING [RESIZE|steps=STEPS], such as"
                  .formatted(line)
              + " 'race none jpeg:75'");
    }
    String last = words.length == 4 ? words[3] : "keep";
    boolean ahead = last.startsWith(AHEAD);
    Representation to =
        Representation.of(
            words[0],
            words[1],
            words[2],
            ahead ? "keep" : last,
            ahead ? last.substring(AHEAD.length()) : "");
    return new Candidate(to.label(), to);
  }
}
