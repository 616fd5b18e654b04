package io.headrace.lab.machine;

/// One thing that was checked on the machine.
///
/// @param name what
/// @param found what there is, in words
/// @param sound whether that is good enough
/// @param remedy what to do where it is not; empty where it is
public record Finding(String name, String found, boolean sound, String remedy) {
  /// {@return something that is as it should be}
  public static Finding sound(String name, String found) {
    return new Finding(name, found, true, "");
  }

  /// {@return something that is missing, and what to do}
  public static Finding missing(String name, String found, String remedy) {
    return new Finding(name, found, false, remedy);
  }
}
