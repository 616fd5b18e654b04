package io.headrace.format.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.testkit.Corrupter;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExampleReaderTest {
  /// Law: what is written comes back, value by value.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void roundTrip(long seed) throws DecodeException {
    var random = new Random(seed);
    var example = any(random);
    try (var block = new Block(MemoryBudget.unbounded())) {
      MemorySegment wire = example.write(block);
      assertThat(Example.parse(wire)).isEqualTo(example);
      var reader = new ExampleReader();
      reader.read(wire);
      for (var entry : example.features().entrySet()) {
        int feature = reader.find(ExampleReader.name(entry.getKey()));
        assertThat(reader.name(feature)).isEqualTo(entry.getKey());
        if (entry.getValue() instanceof Feature.Int64List(var values)) {
          assertThat(reader.int64(feature, 99)).isEqualTo(values.isEmpty() ? 99 : values.get(0));
        }
      }
      assertThat(reader.find(ExampleReader.name("no such name"))).isEqualTo(-1);
    }
  }

  /// Law: damaged bytes give an example or a MISMATCH, and never anything else.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void damagedMessage(long seed) throws DecodeException {
    var random = new Random(seed);
    try (var block = new Block(MemoryBudget.unbounded())) {
      byte[] good = any(random).write(block).toArray(ValueLayout.JAVA_BYTE);
      for (int i = 0; i < 200; i++) {
        byte[] bad = Corrupter.flipBit(good, random.nextInt(8 * good.length));
        bad = random.nextBoolean() ? bad : Corrupter.cut(bad, random.nextInt(bad.length));
        try {
          assertThat(Example.parse(MemorySegment.ofArray(bad)).features()).isNotNull();
        } catch (DecodeException e) {
          assertThat(e.fault()).isEqualTo(Fault.MISMATCH);
        }
      }
    }
  }

  private static Example any(Random random) {
    Map<String, Feature> features = new LinkedHashMap<>();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      features.put("f" + "\u00e9".repeat(random.nextInt(90)) + i, feature(random));
    }
    return new Example(features);
  }

  private static Feature feature(Random random) {
    int size = random.nextInt(5) == 0 ? random.nextInt(300) : random.nextInt(3);
    return switch (random.nextInt(4)) {
      case 0 -> {
        List<MemorySegment> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          byte[] value = new byte[random.nextInt(40)];
          random.nextBytes(value);
          values.add(MemorySegment.ofArray(value));
        }
        yield new Feature.BytesList(values);
      }
      case 1 -> {
        List<Float> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          values.add(random.nextFloat());
        }
        yield new Feature.FloatList(values);
      }
      case 2 -> Feature.of(random.longs(size).map(v -> v >> random.nextInt(64)).toArray());
      default -> new Feature.NotSet();
    };
  }
}
