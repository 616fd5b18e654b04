package io.headrace.lab.model;

import io.headrace.store.Device;

/// What a loader has to work with.
///
/// @param cores processors
/// @param device that data come from where no cache has them
/// @param memoryBytesPerSecond that memory reads or writes; infinite if not measured
public record Platform(int cores, Device device, double memoryBytesPerSecond) {
  /// A device that is never waited for.
  public static final Device MEMORY = Device.rate("memory", Double.POSITIVE_INFINITY);

  /// {@return processors with data in memory, whose bandwidth bounds nothing}
  public static Platform of(int cores) {
    return of(cores, Double.POSITIVE_INFINITY);
  }

  /// {@return processors with data in memory}
  public static Platform of(int cores, double memoryBytesPerSecond) {
    return new Platform(cores, MEMORY, memoryBytesPerSecond);
  }

  /// {@return whether the device is never waited for}
  public boolean inMemory() {
    return device.equals(MEMORY);
  }

  /// {@return the same with another device}
  public Platform with(Device other) {
    return new Platform(cores, other, memoryBytesPerSecond);
  }

  /// {@return the same with another number of processors}
  public Platform withCores(int number) {
    return new Platform(number, device, memoryBytesPerSecond * number / cores);
  }
}
