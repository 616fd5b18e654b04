package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// What becomes of a sample that cannot be delivered. In every case `in = delivered + skipped`.
public enum ErrorPolicy {
  /// The epoch ends with the fault, once all batches before it are delivered.
  FAIL,
  /// The sample is left out; its batch is that much shorter.
  SKIP,
  /// Its slot repeats the good sample before it in the batch (or, at the front, after it), so
  /// that batches keep their size. The copy counts as substituted, not as delivered.
  SUBSTITUTE;

  /// {@return the policy of that name}
  ///
  /// @throws ConfigException if there is none
  public static ErrorPolicy of(String name) {
    for (ErrorPolicy policy : values()) {
      if (policy.label().equals(name)) {
        return policy;
      }
    }
    throw new ConfigException(
        "unknown error policy '%s': expected %s"
            .formatted(
                name,
                Arrays.stream(values())
                    .map(ErrorPolicy::label)
                    .collect(Collectors.joining(" or "))));
  }

  /// {@return the name users type}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
