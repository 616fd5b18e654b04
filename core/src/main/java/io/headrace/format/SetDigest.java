package io.headrace.format;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import java.util.HexFormat;

/// A digest of which samples a set holds, whatever their order: the sum, modulo 2⁶⁴, of every
/// sample's identity spread by [CounterRandom#mix].
///
/// Two sets of the same keys have the same digest in any container; a sample missing or delivered
/// twice changes it. It does not look at the samples' bytes. Confined to one thread; digests of
/// parts are added up with [#addAll].
public final class SetDigest {
  private long sum;
  private long count;

  /// The digest of no sample.
  public SetDigest() {}

  /// Takes in one sample by its identity; see [Sample#id].
  public void add(long id) {
    sum += CounterRandom.mix(id);
    count++;
  }

  /// Takes in all that `other` has.
  public void addAll(SetDigest other) {
    sum += other.sum;
    count += other.count;
  }

  /// Takes in a part of which only the sum is at hand.
  ///
  /// @param value its [#value]
  /// @param count samples in it
  public void addAll(long value, long count) {
    sum += value;
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
