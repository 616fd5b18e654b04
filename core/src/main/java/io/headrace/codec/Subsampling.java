package io.headrace.codec;

/// Chroma subsampling of a JPEG.
public enum Subsampling {
  /// 4:4:4, every chroma sample kept.
  S444("4:4:4", 0),
  /// 4:2:2, half the columns.
  S422("4:2:2", 1),
  /// 4:2:0, half the columns and rows.
  S420("4:2:0", 2),
  /// Greyscale, no chroma at all.
  GRAY("grey", 3),
  /// 4:4:0, half the rows.
  S440("4:4:0", 4),
  /// 4:1:1, a quarter of the columns.
  S411("4:1:1", 5),
  /// Any other set of sampling factors.
  OTHER("other", -1);

  private final String label;

  /// libjpeg-turbo's number, `enum TJSAMP` in turbojpeg.h; -1 if it has none.
  private final int tjsamp;

  Subsampling(String label, int tjsamp) {
    this.label = label;
    this.tjsamp = tjsamp;
  }

  public int tjsamp() {
    return tjsamp;
  }

  /// {@return the usual notation, such as `4:2:0`}
  public String label() {
    return label;
  }
}
