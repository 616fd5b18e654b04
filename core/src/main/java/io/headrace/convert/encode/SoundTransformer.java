package io.headrace.convert.encode;

import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioDecoder;
import io.headrace.sound.AudioEncoder;
import io.headrace.sound.AudioEncoding;
import io.headrace.sound.AudioFormat;
import io.headrace.sound.AudioInfo;
import io.headrace.sound.AudioTarget;
import io.headrace.sound.SampleType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Turns one encoded sound into its target encoding. One per worker thread.
///
/// What is encoded without loss is decoded again and compared, sample by sample. Tags are not kept
/// where sound is encoded again.
final class SoundTransformer implements AutoCloseable {
  private static final double KILOBITS = 1000.0;

  private final AudioDecoder decoder = new AudioDecoder();
  private final Block samples;
  private final Block again;
  private final Block encoded;
  private @Nullable AudioEncoder encoder;
  private MemorySegment result = MemorySegment.NULL;
  private AudioInfo info = new AudioInfo(AudioFormat.WAV, 1, 1, 0, 0, false);
  private AudioFormat format = AudioFormat.WAV;
  private @Nullable String passed;

  SoundTransformer(MemoryBudget budget) {
    samples = new Block(budget);
    again = new Block(budget);
    encoded = new Block(budget);
  }

  /// Transforms a sound; the getters then describe the result.
  Outcome transform(MemorySegment source, TargetEncoding wanted) throws DecodeException {
    info = decoder.probe(source);
    format = info.format();
    result = source;
    passed = null;
    return switch (wanted) {
      case TargetEncoding.Keep _ -> Outcome.KEPT;
      case TargetEncoding.Sound(var target) -> encode(source, target);
      case TargetEncoding.Encode _, TargetEncoding.Tensor _ ->
          throw new DecodeException(
              Fault.MISMATCH,
              "a sound (%s), which cannot become %s".formatted(format.label(), wanted.spec()));
      case TargetEncoding.Progressive _,
          TargetEncoding.Baseline _,
          TargetEncoding.Tiled _,
          TargetEncoding.Packed _,
          TargetEncoding.Pyramid _ ->
          pass("%s sound, not jpeg: stored as it is".formatted(format.label()));
      case TargetEncoding.Mixed _ -> throw new IllegalStateException("a mix has been drawn from");
    };
  }

  private Outcome pass(String why) {
    passed = why;
    return Outcome.PASSED;
  }

  private Outcome encode(MemorySegment source, AudioTarget target) throws DecodeException {
    if (keeps(source, target)) {
      return Outcome.KEPT_BELOW_TARGET;
    }
    AudioEncoding encoding = target.of(info);
    if (encoding == null) {
      return pass(
          "samples of %d bits%s, which %s does not hold: stored as it is"
              .formatted(
                  info.bits(),
                  info.floating() ? " (floating point)" : "",
                  target.format().label()));
    }
    boolean whole = info.bits() > 0 && !info.floating();
    SampleType type = whole ? SampleType.INT32 : SampleType.FLOAT32;
    long bytes = info.bytes(type);
    MemorySegment decoded = samples.ensure(bytes).asSlice(0, bytes);
    decoder.decode(source, info, type, decoded);
    AudioEncoder writer = encoder;
    if (writer == null) {
      writer = new AudioEncoder();
      encoder = writer;
    }
    long length =
        writer.encode(
            decoded, type, info.frames(), info.channels(), info.sampleRate(), encoding, encoded);
    result = encoded.memory().asSlice(0, length);
    format = encoding.format();
    if (!target.lossy() && (whole || target.kind() == AudioTarget.Kind.WAV)) {
      check(type, decoded);
      return Outcome.TRANSCODED;
    }
    return Outcome.REENCODED;
  }

  /// Plain WAV stays as it is, and so does MP3 of no higher a bit rate than is asked for.
  private boolean keeps(MemorySegment source, AudioTarget target) {
    return switch (target.kind()) {
      case WAV -> format == AudioFormat.WAV && info.bits() > 0;
      case MP3 ->
          format == AudioFormat.MP3
              && source.byteSize() * Byte.SIZE / KILOBITS <= target.setting() * info.seconds();
      case FLAC, MP3_VBR, VORBIS -> false;
    };
  }

  /// Decodes the result and compares.
  private void check(SampleType type, MemorySegment decoded) throws DecodeException {
    long bytes = decoded.byteSize();
    MemorySegment back = again.ensure(bytes).asSlice(0, bytes);
    decoder.decode(result, decoder.probe(result), type, back);
    if (back.mismatch(decoded) >= 0) {
      throw new DecodeException(
          Fault.CORRUPT, "%s does not give the samples back".formatted(format.label()));
    }
  }

  /// {@return what is to be stored: rate, channels and frames are those of the source}
  Stored stored() {
    return Stored.sound(result, format, info.sampleRate(), info.frames(), info.channels());
  }

  /// {@return why the sound stays as it is although it was to be encoded, or null}
  @Nullable String passed() {
    return passed;
  }

  @Override
  public void close() {
    decoder.close();
    samples.close();
    again.close();
    encoded.close();
    if (encoder != null) {
      encoder.close();
    }
  }
}
