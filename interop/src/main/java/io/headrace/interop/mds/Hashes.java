package io.headrace.interop.mds;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Checks a file's bytes against one of its hashes in the index, if Java knows any of them.
final class Hashes {
  private static final int CHUNK = 1 << 30;

  private final @Nullable MessageDigest digest;
  private final String name;
  private final String expected;

  /// @param hashes in hexadecimal digits, by Python's name of the algorithm
  Hashes(Map<String, String> hashes) {
    MessageDigest found = null;
    String algorithm = "";
    for (String each : hashes.keySet().stream().sorted().toList()) {
      found = find(each);
      if (found != null) {
        algorithm = each;
        break;
      }
    }
    digest = found;
    name = algorithm;
    expected = hashes.getOrDefault(algorithm, "");
  }

  /// {@return whether hashes are stated, but none that can be checked}
  static boolean uncheckable(Map<String, String> hashes) {
    return !hashes.isEmpty() && new Hashes(hashes).digest == null;
  }

  private static @Nullable MessageDigest find(String name) {
    String java =
        switch (name) {
          case "md5" -> "MD5";
          case "sha1" -> "SHA-1";
          case "sha224", "sha256", "sha384", "sha512" -> "SHA-" + name.substring(3);
          case "sha3_224", "sha3_256", "sha3_384", "sha3_512" -> "SHA3-" + name.substring(5);
          default -> "";
        };
    if (java.isEmpty()) {
      return null;
    }
    try {
      return MessageDigest.getInstance(java);
    } catch (NoSuchAlgorithmException e) {
      return null;
    }
  }

  /// {@return whether anything is checked}
  boolean any() {
    return digest != null;
  }

  /// Takes in the bytes that follow.
  void update(MemorySegment bytes) {
    MessageDigest to = digest;
    if (to == null) {
      return;
    }
    for (long at = 0; at < bytes.byteSize(); at += CHUNK) {
      to.update(bytes.asSlice(at, Math.min(CHUNK, bytes.byteSize() - at)).asByteBuffer());
    }
  }

  /// Checks the hash of all that was taken in.
  void check() throws DecodeException {
    if (digest == null) {
      return;
    }
    String found = HexFormat.of().formatHex(digest.digest());
    if (!found.equals(expected.toLowerCase(Locale.ROOT))) {
      throw new DecodeException(
          Fault.CORRUPT,
          "%s of the file is %s, the index says %s".formatted(name, found, expected));
    }
  }
}
