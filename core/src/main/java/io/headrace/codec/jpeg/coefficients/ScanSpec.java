package io.headrace.codec.jpeg.coefficients;

import java.util.ArrayList;
import java.util.List;

/// A scan to be written: bits `low` to `high` of a band of coefficients.
///
/// @param component first of its components
/// @param count components, which follow each other
/// @param first coefficient, Ss
/// @param last coefficient, Se
/// @param high lowest bit written before, Ah; 0 if none was
/// @param low lowest bit written now, Al
record ScanSpec(int component, int count, int first, int last, int high, int low) {
  private static final ScanSpec[][] SEQUENTIAL = new ScanSpec[10][];
  private static final ScanSpec[][] PROGRESSIVE = new ScanSpec[20][];

  static {
    for (int n = 1; n <= 4; n++) {
      for (int joined = 0; joined < 2; joined++) {
        List<ScanSpec> list = new ArrayList<>();
        if (joined == 1) {
          list.add(new ScanSpec(0, n, 0, 63, 0, 0));
        } else {
          each(list, n, 0, 63, 0, 0);
        }
        SEQUENTIAL[2 * n + joined] = list.toArray(ScanSpec[]::new);
        PROGRESSIVE[4 * n + 2 * joined] = others(n, joined == 1).toArray(ScanSpec[]::new);
        PROGRESSIVE[4 * n + 2 * joined + 1] = colour(joined == 1).toArray(ScanSpec[]::new);
      }
    }
  }

  /// {@return the scans of a sequential picture}
  ///
  /// @param joined whether the blocks of all components fit into one MCU
  static ScanSpec[] sequential(int components, boolean joined) {
    return SEQUENTIAL[2 * components + (joined ? 1 : 0)];
  }

  /// {@return the scans of a progressive picture, those of libjpeg's `jpeg_simple_progression`}
  ///
  /// @param joined whether the blocks of all components fit into one MCU
  /// @param colour whether the components are Y, Cb and Cr
  static ScanSpec[] progressive(int components, boolean joined, boolean colour) {
    return PROGRESSIVE[4 * components + (joined ? 2 : 0) + (colour ? 1 : 0)];
  }

  private static List<ScanSpec> colour(boolean joined) {
    List<ScanSpec> list = new ArrayList<>();
    dc(list, 3, joined, 0, 1);
    list.add(new ScanSpec(0, 1, 1, 5, 0, 2));
    list.add(new ScanSpec(2, 1, 1, 63, 0, 1));
    list.add(new ScanSpec(1, 1, 1, 63, 0, 1));
    list.add(new ScanSpec(0, 1, 6, 63, 0, 2));
    list.add(new ScanSpec(0, 1, 1, 63, 2, 1));
    dc(list, 3, joined, 1, 0);
    list.add(new ScanSpec(2, 1, 1, 63, 1, 0));
    list.add(new ScanSpec(1, 1, 1, 63, 1, 0));
    list.add(new ScanSpec(0, 1, 1, 63, 1, 0));
    return list;
  }

  private static List<ScanSpec> others(int components, boolean joined) {
    List<ScanSpec> list = new ArrayList<>();
    dc(list, components, joined, 0, 1);
    each(list, components, 1, 5, 0, 2);
    each(list, components, 6, 63, 0, 2);
    each(list, components, 1, 63, 2, 1);
    dc(list, components, joined, 1, 0);
    each(list, components, 1, 63, 1, 0);
    return list;
  }

  private static void dc(List<ScanSpec> list, int components, boolean joined, int high, int low) {
    if (joined) {
      list.add(new ScanSpec(0, components, 0, 0, high, low));
    } else {
      each(list, components, 0, 0, high, low);
    }
  }

  private static void each(
      List<ScanSpec> list, int components, int first, int last, int high, int low) {
    for (int c = 0; c < components; c++) {
      list.add(new ScanSpec(c, 1, first, last, high, low));
    }
  }
}
