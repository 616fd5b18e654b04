package io.headrace.memory;

/// Order of the axes of one image.
public enum Layout {
  /// Height, width, channels: channels last.
  HWC,
  /// Channels, height, width: channels first, as PyTorch's convolutions take by default.
  CHW
}
