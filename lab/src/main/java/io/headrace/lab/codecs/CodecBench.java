package io.headrace.lab.codecs;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.lab.codecs.Material.Content;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/// Measures encodings on a folder's own files, by one thread: bytes, speed of encoding and of
/// decoding, and how near the decoded form is.
public final class CodecBench {
  private CodecBench() {}

  /// {@return what each setting took and gave, in the order asked for}
  ///
  /// @param progress told what is done, one line each
  /// @throws java.nio.file.NoSuchFileException if there is no such file or folder
  /// @throws ConfigException if an encoding is unknown, the folder holds nothing of the kind, or
  ///     not one encoding takes it
  /// @throws IOException if files cannot be read, or not one can be decoded
  public static BenchResult run(BenchOptions options, Consumer<String> progress)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      progress.accept("reading files");
      boolean any = options.kind() == BenchKind.STREAMS && !options.decoded();
      EnumSet<Content> wanted = any ? EnumSet.of(Content.OTHER) : wanted(options);
      Material material = Material.take(options.path(), wanted, options.limit(), arena);
      List<String> notes = new ArrayList<>(material.notes());
      boolean sound =
          material.of(Content.SOUND).size() > material.of(Content.IMAGE).size()
              || options.kind() == BenchKind.AUDIO;
      BenchKind kind = kind(options, sound);
      progress.accept("decoding files");
      Subject<?, ?> subject =
          switch (kind) {
            case IMAGES ->
                new ImageSubject(Pixels.decode(material.of(Content.IMAGE), arena, notes));
            case AUDIO -> new AudioSubject(Pcm.decode(material.of(Content.SOUND), arena, notes));
            case STREAMS -> streams(material, options, sound, arena, notes);
            case TENSORS -> tensors(material, sound, arena, notes);
          };
      return race(kind, subject, options, notes, arena, progress);
    } catch (DecodeException e) {
      throw new IOException("what was just encoded cannot be decoded: " + e.getMessage(), e);
    }
  }

  private static EnumSet<Content> wanted(BenchOptions options) {
    return switch (options.kind()) {
      case null -> EnumSet.of(Content.IMAGE, Content.SOUND);
      case IMAGES -> EnumSet.of(Content.IMAGE);
      case AUDIO -> EnumSet.of(Content.SOUND);
      case STREAMS, TENSORS -> EnumSet.of(Content.IMAGE, Content.SOUND);
    };
  }

  private static BenchKind kind(BenchOptions options, boolean sound) {
    BenchKind asked = options.kind();
    if (asked == null && options.decoded()) {
      return BenchKind.STREAMS;
    }
    return asked != null ? asked : sound ? BenchKind.AUDIO : BenchKind.IMAGES;
  }

  private static StreamSubject streams(
      Material material, BenchOptions options, boolean sound, Arena arena, List<String> notes)
      throws IOException {
    if (!options.decoded()) {
      List<MemorySegment> files = material.all();
      return StreamSubject.of(files, "the bytes of %d files".formatted(files.size()), arena);
    }
    List<MemorySegment> parts =
        sound
            ? Pcm.decode(material.of(Content.SOUND), arena, notes).stream().map(Pcm::plain).toList()
            : Pixels.decode(material.of(Content.IMAGE), arena, notes).stream()
                .map(Pixels::plain)
                .toList();
    String what = sound ? "the samples of %d sounds" : "the pixels of %d images";
    return StreamSubject.of(parts, what.formatted(parts.size()), arena);
  }

  private static TensorSubject tensors(
      Material material, boolean sound, Arena arena, List<String> notes) throws IOException {
    List<FloatTensor> tensors =
        sound
            ? FloatTensor.ofSound(
                Pcm.decode(material.of(Content.SOUND), arena, notes), arena, notes)
            : FloatTensor.ofPixels(Pixels.decode(material.of(Content.IMAGE), arena, notes), arena);
    if (tensors.isEmpty()) {
      throw new ConfigException("not one sound is long enough for a spectrogram");
    }
    String what = sound ? "log-mel spectrograms of %d sounds" : "%d images as float32";
    return new TensorSubject(tensors, what.formatted(tensors.size()));
  }

  private static <E, I extends Subject.Item> BenchResult race(
      BenchKind kind,
      Subject<E, I> subject,
      BenchOptions options,
      List<String> notes,
      Arena arena,
      Consumer<String> progress)
      throws IOException, DecodeException {
    try (subject;
        var race = new Trials<>(subject, arena)) {
      race.run(subject.settings(options.encodings()), options.rounds(), progress);
      BenchResult result = race.result(kind, notes);
      if (result.measured().isEmpty()) {
        throw new ConfigException("not one encoding takes this: " + result.refused());
      }
      return result;
    }
  }
}
