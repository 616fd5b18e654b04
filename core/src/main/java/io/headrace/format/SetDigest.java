package io.headrace.format;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import java.util.HexFormat;

/// A digest of which samples a set holds, whatever their order: the sum, modulo 2⁶⁴, of every
/// sample's identity spread by [CounterRandom#mix]; and beside it a second one, of which label each
/// of them has: the sum of mix(identity ^ mix(label)).
///
/// Two sets of the same keys have the same digest in any container; a sample missing or delivered
/// twice changes it. It does not look at the samples' bytes. Confined to one thread; digests of
/// parts are added up with [#addAll].
public final class SetDigest {
  private long sum;
  private long labels;
  private long count;

  /// The digest of no sample.
  public SetDigest() {}

  /// Takes in one sample by its identity; see [Sample#id].
  ///
  /// @param label its label, or -1
  public void add(long id, long label) {
    sum += CounterRandom.mix(id);
    labels += CounterRandom.mix(id ^ CounterRandom.mix(label));
    count++;
  }

  /// Takes in all that `other` has.
  public void addAll(SetDigest other) {
    sum += other.sum;
    labels += other.labels;
    count += other.count;
  }

  /// Takes in a part of which only the sums are at hand.
  ///
  /// @param value its [#value]
  /// @param labels its [#labels]
  /// @param count samples in it
  public void addAll(long value, long labels, long count) {
    sum += value;
    this.labels += labels;
    this.count += count;
  }

  /// {@return the digest}
  public long value() {
    return sum;
  }

  /// {@return samples taken in}
  public long count() {
    return count;
  }

  /// {@return the digest in 16 hexadecimal digits}
  public String hex() {
    return hex(sum);
  }

  /// {@return the digest of the labels in 16 hexadecimal digits}
  public String labelHex() {
    return hex(labels);
  }

  /// {@return how the samples taken in are not those that a dataset says it has, in words; empty if
  /// they are, or if it does not say}
  public String contradiction(Dataset dataset) {
    String stated = dataset.setDigest();
    if (!stated.isEmpty() && !stated.equals(hex())) {
      return "%s: the samples' digest is %s, expected %s: these are not the samples that it should hold"
          .formatted(dataset.root(), hex(), stated);
    }
    String statedLabels = dataset.labelDigest();
    return statedLabels.isEmpty() || statedLabels.equals(labelHex())
        ? ""
        : "%s: the labels' digest is %s, expected %s: samples have other labels than they should have"
            .formatted(dataset.root(), labelHex(), statedLabels);
  }

  /// {@return a digest in 16 hexadecimal digits}
  public static String hex(long value) {
    return HexFormat.of().toHexDigits(value);
  }

  /// {@return the digest that `hex` spells}
  ///
  /// @throws ConfigException if these are not 16 hexadecimal digits
  public static long parse(String hex) {
    if (hex.length() != 16) {
      throw new ConfigException("set digest '%s' is not 16 hexadecimal digits".formatted(hex));
    }
    try {
      return HexFormat.fromHexDigitsToLong(hex);
    } catch (IllegalArgumentException e) {
      throw new ConfigException("set digest '%s' is not 16 hexadecimal digits".formatted(hex));
    }
  }
}
