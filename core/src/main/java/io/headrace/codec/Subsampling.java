package io.headrace.codec;

/// Chroma subsampling of a JPEG, in the order of libjpeg-turbo's `TJSAMP` numbers.
public enum Subsampling {
  /// 4:4:4, every chroma sample kept.
  S444("4:4:4"),
  /// 4:2:2, half the columns.
  S422("4:2:2"),
  /// 4:2:0, half the columns and rows.
  S420("4:2:0"),
  /// Greyscale, no chroma at all.
  GRAY("grey"),
  /// 4:4:0, half the rows.
  S440("4:4:0"),
  /// 4:1:1, a quarter of the columns.
  S411("4:1:1"),
  /// Any other set of sampling factors.
  OTHER("other");

  private final String label;

  Subsampling(String label) {
    this.label = label;
  }

  /// {@return the usual notation, such as `4:2:0`}
  public String label() {
    return label;
  }
}
