package io.headrace.codec.images;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Allocations;
import io.headrace.testkit.Mutator;
import io.headrace.testkit.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Law: whatever the bytes are, a decoder ends in a result or a [DecodeException], soon, and within
/// its memory.
///
/// All targets have 35 seconds together, or each as many as `-Dheadrace.fuzz.seconds=N` says:
///
///     mvn -pl testkit,core -am test -Dtest=FuzzTest -Dsurefire.failIfNoSpecifiedTests=false
///         -Dheadrace.fuzz.seconds=600
///
/// The input in work lies at the end of `target/fuzz/NAME`, where it also outlives a crash; with
/// the seed that names the test, a failing run can be repeated.
final class FuzzTest {
  private static final Duration TOGETHER = Duration.ofSeconds(35);
  private static final int MAX_BYTES = 1 << 20;
  private static final long BUDGET = 64 << 20;
  private static final long MAX_HEAP = 4 << 20;
  private static final long MAX_RESIDENT = 256 << 20;
  private static final long MAX_SECONDS = 10;

  /// Decoders to be fuzzed: a line each.
  static Stream<FuzzTarget> targets() {
    return Stream.of(
        FuzzTarget.image("jpeg"),
        new FuzzTarget(
            "transcode",
            FuzzTarget.resources("jpeg"),
            FuzzedTranscoders.Progressive::new,
            UnaryOperator.identity()),
        new FuzzTarget(
            "tiles",
            FuzzTarget.resources("jpeg"),
            FuzzedTranscoders.Tiles::new,
            UnaryOperator.identity()),
        new FuzzTarget(
            "baseline",
            FuzzTarget.resources("jpeg"),
            FuzzedTranscoders.PlanesTarget::new,
            UnaryOperator.identity()),
        new FuzzTarget(
            "packed",
            FuzzedTranscoders.Packed.corpus(),
            FuzzedTranscoders.Packed::new,
            UnaryOperator.identity()),
        FuzzTarget.image("png", FuzzTarget::pngChecksums),
        FuzzTarget.image("webp", FuzzTarget::riffLength),
        FuzzTarget.of(
            "avif",
            FuzzTarget.Image::new,
            "avif/yuv420.avif",
            "avif/yuv444-10.avif",
            "avif/alpha.avif",
            "avif/grid.avif",
            "avif/orientation-5.avif"),
        FuzzTarget.image("qoi"),
        FuzzTarget.of(
            "raw", FuzzTarget.Image::new, "raw/2x3x3.tensor", "raw/3x2x4.tensor", "raw/4x7.tensor"),
        new FuzzTarget(
            "lossless", FuzzedLossless.corpus(), FuzzTarget.Image::new, FuzzedLossless::checksums),
        new FuzzTarget("tar", FuzzedTars.corpus(), FuzzedTars::new, FuzzedTars::checksums),
        FuzzTarget.image("bmp"),
        FuzzTarget.image("pnm"));
  }

  static Stream<Arguments> targetsWithSeeds() {
    List<FuzzTarget> targets = targets().toList();
    Long asked = Long.getLong("headrace.fuzz.seconds");
    Duration time = asked == null ? TOGETHER.dividedBy(targets.size()) : Duration.ofSeconds(asked);
    return targets.stream()
        .map(target -> arguments(target, Seeds.random().findFirst().orElseThrow(), time));
  }

  @ParameterizedTest(name = "{0} -Dheadrace.seed={1}")
  @MethodSource("targetsWithSeeds")
  void anyBytesAreSurvived(FuzzTarget target, long seed, Duration time) {
    assertTimeoutPreemptively(time.plusSeconds(6 * MAX_SECONDS), () -> fuzz(target, seed, time));
  }

  private static void fuzz(FuzzTarget target, long seed, Duration time) throws IOException {
    var mutator = new Mutator(target.corpus(), seed, MAX_BYTES);
    var budget = new MemoryBudget(BUDGET);
    Path file = Files.createDirectories(Path.of("target", "fuzz")).resolve(target.name());
    long end = System.nanoTime() + time.toNanos();
    long inputs = 0;
    long decoded = 0;
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined();
        FuzzTarget.Decoder decoder = target.decoder().apply(budget)) {
      MemorySegment room = channel.map(FileChannel.MapMode.READ_WRITE, 0, MAX_BYTES, arena);
      for (byte[] sound : target.corpus()) {
        attempt(decoder, put(room, sound));
      }
      long resident = resident();
      do {
        byte[] input = mutator.next();
        if (inputs % 2 == 1) {
          input = target.repair().apply(input);
        }
        long heap = Allocations.ofThisThread();
        long start = System.nanoTime();
        boolean sound = attempt(decoder, put(room, input));
        long nanos = System.nanoTime() - start;
        long allocated = Allocations.ofThisThread() - heap;
        inputs++;
        decoded += sound ? 1 : 0;
        if (nanos > TimeUnit.SECONDS.toNanos(MAX_SECONDS) || allocated > MAX_HEAP) {
          throw new AssertionError(
              "input %d of %d bytes, in %s, took %d ms and %d bytes of heap"
                  .formatted(inputs, input.length, file, nanos / 1_000_000, allocated));
        }
      } while (System.nanoTime() < end);
      assertThat(resident() - resident).as("growth of resident memory").isLessThan(MAX_RESIDENT);
    }
    assertThat(budget.reserved()).isZero();
    assertThat(inputs).isPositive();
    System.out.printf("fuzz %s: %d inputs, %d decoded%n", target, inputs, decoded);
  }

  /// {@return the input at the very end, so that reading on after it leaves the mapping}
  private static MemorySegment put(MemorySegment room, byte[] input) {
    long start = room.byteSize() - input.length;
    MemorySegment.copy(input, 0, room, JAVA_BYTE, start, input.length);
    return room.asSlice(start);
  }

  private static boolean attempt(FuzzTarget.Decoder decoder, MemorySegment input) {
    try {
      decoder.decode(input);
      return true;
    } catch (DecodeException e) {
      if (String.valueOf(e.getMessage()).length() < 10) {
        throw new AssertionError("says too little", e);
      }
      return false;
    }
  }

  /// {@return bytes of this process in memory; 0 where the system does not say}
  private static long resident() {
    Path status = Path.of("/proc/self/statm");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try {
      return 4096 * Long.parseLong(Files.readString(status).split(" ", -1)[1]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
