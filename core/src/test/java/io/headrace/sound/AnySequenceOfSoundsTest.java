package io.headrace.sound;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Seeds;
import io.headrace.testkit.Sequences;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Law: any sequence of sounds gives what fresh decoders give of each: samples, notes or fault.
final class AnySequenceOfSoundsTest {
  private static final List<SampleType> TYPES = List.of(SampleType.values());

  /// Decodes, or salvages what there is, in one of the types.
  private static final class Decoding implements Sequences.Context {
    private final AudioDecoder decoder = new AudioDecoder();
    private final Block out = new Block(new MemoryBudget(8 << 20));
    private final boolean lenient;

    Decoding(boolean lenient) {
      this.lenient = lenient;
    }

    @Override
    public String outcome(byte[] input) {
      SampleType type = TYPES.get(input.length % TYPES.size());
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment sound = Sounds.offHeap(arena, input);
        AudioInfo info = decoder.probe(sound);
        long frames =
            lenient ? decoder.salvage(sound, type, out) : decoder.decode(sound, type, out);
        String notes = decoder.notes().toString();
        var crc = new CRC32();
        crc.update(out.memory().asSlice(0, frames * info.channels() * type.bytes()).asByteBuffer());
        return "%s, %d frames, %08x, %s, %s"
            .formatted(info, frames, crc.getValue(), notes, decoder.verify(sound));
      } catch (DecodeException e) {
        return "fault %s: %s".formatted(e.fault(), e.getMessage());
      }
    }

    @Override
    public void close() {
      decoder.close();
      out.close();
    }
  }

  private static List<byte[]> corpus() throws DecodeException {
    List<byte[]> sounds = new ArrayList<>();
    for (AudioEncoding encoding : AudioFuzzTest.encodings()) {
      sounds.add(Sounds.encode(Sounds.tone(3000, 22_050), 1, 22_050, encoding));
      sounds.add(Sounds.encode(Sounds.tone(4000, 44_100), 2, 44_100, encoding));
    }
    sounds.add(Sounds.resource("joint.mp3"));
    sounds.add(Sounds.resource("joint-mpg123.flac"));
    return sounds;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anySequenceGivesWhatFreshOnesGive(boolean lenient) throws DecodeException {
    long seed = Seeds.random().findFirst().orElseThrow();
    int sound = Sequences.check(() -> new Decoding(lenient), corpus(), seed, 150, 800);
    assertThat(sound).as("-Dheadrace.seed=%d", seed).isGreaterThan(50);
  }
}
