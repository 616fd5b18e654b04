package io.headrace.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/// Law: a context that was used before gives the same result for an input as a fresh one.
public final class Sequences {
  private static final int MAX_BYTES = 1 << 16;

  private Sequences() {}

  /// A decoder or the like, with all its state.
  public interface Context extends AutoCloseable {
    /// {@return the result for an input: the fault, or a digest of all output}
    String outcome(byte[] input);

    @Override
    void close();
  }

  /// Checks the law: inputs come in an order drawn from the seed, with damaged ones among them.
  ///
  /// @param corpus sound and odd inputs
  /// @param damaged how many damaged inputs are made of them
  /// @param steps inputs that the context gets
  /// @return how many of those it made something of
  public static int check(
      Supplier<Context> make, List<byte[]> corpus, long seed, int damaged, int steps) {
    var random = new Random(seed);
    var mutator = new Mutator(corpus, random.nextLong(), MAX_BYTES);
    List<byte[]> inputs = new ArrayList<>(corpus);
    for (int i = 0; i < damaged; i++) {
      byte[] next = mutator.next();
      if (next.length > 0) {
        inputs.add(next);
      }
    }
    List<String> expected = new ArrayList<>();
    for (byte[] input : inputs) {
      try (Context fresh = make.get()) {
        expected.add(fresh.outcome(input));
      }
    }
    int sound = 0;
    int before = -1;
    try (Context reused = make.get()) {
      for (int i = 0; i < steps; i++) {
        int next = random.nextInt(inputs.size());
        String found = reused.outcome(inputs.get(next));
        if (!found.equals(expected.get(next))) {
          throw new AssertionError(
              "step %d, input %d of %d bytes after input %d: '%s', but alone '%s'"
                  .formatted(i, next, inputs.get(next).length, before, found, expected.get(next)));
        }
        sound += found.startsWith("fault") ? 0 : 1;
        before = next;
      }
    }
    return sound;
  }
}
