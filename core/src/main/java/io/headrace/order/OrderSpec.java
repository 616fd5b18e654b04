package io.headrace.order;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;

/// How an epoch is ordered: how well it is mixed, and how a disk is read for it.
public sealed interface OrderSpec {
  /// Every order of the epoch equally likely. A disk is read at random.
  record Full() implements OrderSpec {
    @Override
    public String toString() {
      return "full";
    }
  }

  /// Stored order, every epoch. A disk is read in sequence.
  record Sequential() implements OrderSpec {
    @Override
    public String toString() {
      return "sequential";
    }
  }

  /// Stored order through a buffer, from which each next sample is drawn at random and replaced by
  /// the next stored one, as DALI's file readers do. A disk is read in sequence. A sample comes at
  /// most `fill` places early; how late it comes is random.
  ///
  /// @param fill samples in the buffer
  record Buffer(int fill) implements OrderSpec {
    /// Checks the range.
    public Buffer {
      require(fill, "buffer");
    }

    @Override
    public String toString() {
      return "buffer:" + fill;
    }
  }

  /// The dataset is cut into runs of neighbours, eight a lane, taken in a permuted order, as many
  /// at a time as there are lanes; one sample from each in turn goes through a buffer as in
  /// [Buffer]. This is how tf.data interleaves files and shuffles. A disk is read in as many
  /// sequences as there are lanes.
  ///
  /// @param lanes runs read at one time
  /// @param fill samples in the buffer
  record Interleave(int lanes, int fill) implements OrderSpec {
    /// Checks the ranges.
    public Interleave {
      require(lanes, "lanes");
      require(fill, "buffer");
    }

    @Override
    public String toString() {
      return "interleave:" + lanes + ":" + fill;
    }
  }

  /// The dataset is cut into blocks of neighbours; a few blocks, drawn at random, are shuffled
  /// together, then the next few. A disk is read in sequence within a block, if samples are
  /// prefetched. Quality is near that of a full shuffle unless labels come in runs longer than the
  /// blocks together.
  ///
  /// @param samples in a block
  /// @param blocks shuffled together
  record Block(int samples, int blocks) implements OrderSpec {
    /// Checks the ranges.
    public Block {
      require(samples, "samples in a block");
      require(blocks, "blocks");
    }

    @Override
    public String toString() {
      return "block:" + samples + ":" + blocks;
    }
  }

  /// The order of [io.headrace.order.TwoRegion], which needs a cache that follows it. A disk is
  /// read in sequence, but for what the cache has.
  ///
  /// @param start where each epoch's reading begins
  record TwoRegion(DiskStart start) implements OrderSpec {
    @Override
    public String toString() {
      return "two-region:" + start;
    }
  }

  /// The order in which the two-region order reads those samples that it has to read.
  sealed interface DiskStart {
    /// Stored order from the first sample.
    record Stored() implements DiskStart {
      @Override
      public String toString() {
        return "stored";
      }
    }

    /// Stored order from a sample drawn anew each epoch, and around to it again.
    record Rotated() implements DiskStart {
      @Override
      public String toString() {
        return "rotate";
      }
    }

    /// Blocks of neighbours in an order drawn anew each epoch.
    ///
    /// @param samples in a block
    record Blocks(int samples) implements DiskStart {
      /// Checks the range.
      public Blocks {
        require(samples, "samples in a block");
      }

      @Override
      public String toString() {
        return "blocks:" + samples;
      }
    }
  }

  /// The spellings that [#parse] takes.
  String EXPECTED =
      "full, sequential, buffer[:FILL], interleave[:LANES[:FILL]], block[:SAMPLES[:BLOCKS]] or"
          + " two-region[:stored|rotate|blocks[:SAMPLES]]";

  /// Every order equally likely.
  OrderSpec FULL = new Full();

  /// Stored order.
  OrderSpec SEQUENTIAL = new Sequential();

  private static void require(int value, String what) {
    if (value < 1) {
      throw new ConfigException("%s %d in an order: expected at least 1".formatted(what, value));
    }
  }

  /// Understands `full` or `shuffled`; `sequential` or `stored`; `buffer[:FILL]` (1024);
  /// `interleave[:LANES[:FILL]]` (4, 1024); `block[:SAMPLES[:BLOCKS]]` (256, 16);
  /// `two-region[:stored|rotate|blocks[:SAMPLES]]` (256).
  ///
  /// @throws ConfigException if it is none of these
  static OrderSpec parse(String text) {
    Spec spec = Spec.colons("order", text);
    return spec.end(
        switch (spec.name()) {
          case "full", "shuffled" -> FULL;
          case "sequential", "stored" -> SEQUENTIAL;
          case "buffer" -> new Buffer(spec.number("buffer", 1024));
          case "interleave" -> new Interleave(spec.number("lanes", 4), spec.number("buffer", 1024));
          case "block" -> new Block(spec.number("samples", 256), spec.number("blocks", 16));
          case "two-region" -> new TwoRegion(start(spec));
          default -> throw spec.unknown(EXPECTED);
        });
  }

  private static DiskStart start(Spec spec) {
    String name = spec.next();
    return switch (name) {
      case null -> new DiskStart.Stored();
      case "stored" -> new DiskStart.Stored();
      case "rotate" -> new DiskStart.Rotated();
      case "blocks" -> new DiskStart.Blocks(spec.number("samples", 256));
      default -> throw spec.unknown(EXPECTED);
    };
  }
}
