package io.headrace.format.files;

import io.headrace.error.ConfigException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The name of one shard of several, such as `train-00000-of-00016.tfrecord`: the convention of
/// TensorFlow's tools and of Apache Beam.
///
/// @param prefix what stands before the first number's dash
/// @param index number of the shard, from 0
/// @param count number of shards, at least 1
/// @param suffix what stands after the second number, such as `.tfrecord`
public record ShardName(String prefix, int index, int count, String suffix) {
  private static final Pattern FORM = Pattern.compile("(.*)-(\\d{5,9})-of-(\\d{5,9})(.*)");

  /// Checks the numbers.
  ///
  /// @throws ConfigException if there is no such shard
  public ShardName {
    if (count < 1 || index < 0 || index >= count) {
      throw new ConfigException("there is no shard %d of %d".formatted(index, count));
    }
  }

  /// {@return what `fileName` says, or null if it is not of this form}
  public static @Nullable ShardName parse(String fileName) {
    Matcher matcher = FORM.matcher(fileName);
    if (!matcher.matches()) {
      return null;
    }
    int index = Integer.parseInt(matcher.group(2));
    int count = Integer.parseInt(matcher.group(3));
    return index < count ? new ShardName(matcher.group(1), index, count, matcher.group(4)) : null;
  }

  /// {@return the name of another shard of the same set}
  public ShardName sibling(int index) {
    return new ShardName(prefix, index, count, suffix);
  }

  /// {@return the file name}
  public String fileName() {
    return "%s-%05d-of-%05d%s".formatted(prefix, index, count, suffix);
  }
}
