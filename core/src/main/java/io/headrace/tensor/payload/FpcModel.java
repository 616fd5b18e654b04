package io.headrace.tensor.payload;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The two predictors of an FPC coder, and what they learned from the block so far.
///
/// The first predicts from values: FCM, a table of what last followed this hash of values, or the
/// value above (a row, of `columns` values, before). The second predicts from differences: DFCM, a
/// table of the difference that last followed this hash of differences, or Lorenzo, left + above -
/// above left. A table of one entry makes FCM the last value, and DFCM the last value plus the last
/// difference. All arithmetic is on the bits as integers of the word's width.
///
/// FCM hash: `h = (h << fcmShift) ^ (bits >>> (width - 16))`; DFCM hash: `h = (h << dfcmShift) ^
/// (difference >>> (width - 24))`; both cut to the table. Source: Burtscher and Ratanaworabhan,
/// "FPC: A High-Speed Compressor for Double-Precision Floating-Point Data", IEEE Transactions on
/// Computers, 2009; the shifts 6 and 2 are FPC's own.
final class FpcModel {
  static final int MAX_TABLE_LOG = 16;

  private final long[] values = new long[1 << MAX_TABLE_LOG];
  private final long[] differences = new long[1 << MAX_TABLE_LOG];
  private int width;
  private long wordMask;
  private boolean above;
  private boolean lorenzo;
  private int tableMask;
  private int fcmShift;
  private int dfcmShift;
  private int valueDrop;
  private int differenceDrop;
  private int valueHash;
  private int differenceHash;
  private long last;

  /// How a model predicts: what a block's header says.
  ///
  /// @param above whether the first predictor is the value above, else FCM
  /// @param lorenzo whether the second predictor is Lorenzo, else DFCM
  /// @param tableLog 0 to 16, base-2 logarithm of the tables' entries
  /// @param fcmShift 0 to 15
  /// @param dfcmShift 0 to 15
  record Setting(boolean above, boolean lorenzo, int tableLog, int fcmShift, int dfcmShift) {
    int pack() {
      return (above ? 1 : 0) | (lorenzo ? 2 : 0) | tableLog << 8 | fcmShift << 16 | dfcmShift << 24;
    }

    /// {@return the setting in a header word, or null if it can be none}
    static @Nullable Setting unpack(int word) {
      int log = word >>> 8 & 0xff;
      int fcm = word >>> 16 & 0xff;
      int dfcm = word >>> 24;
      boolean valid = (word & 0xfc) == 0 && log <= MAX_TABLE_LOG && fcm < 16 && dfcm < 16;
      return valid ? new Setting((word & 1) != 0, (word & 2) != 0, log, fcm, dfcm) : null;
    }
  }

  /// Forgets everything.
  ///
  /// @param bits of a word, 32 or 64
  void reset(Setting setting, int bits) {
    width = bits / 8;
    wordMask = -1L >>> (64 - bits);
    above = setting.above;
    lorenzo = setting.lorenzo;
    int entries = 1 << setting.tableLog;
    tableMask = entries - 1;
    fcmShift = setting.fcmShift;
    dfcmShift = setting.dfcmShift;
    valueDrop = bits - 16;
    differenceDrop = bits - 24;
    Arrays.fill(values, 0, entries, 0);
    Arrays.fill(differences, 0, entries, 0);
    valueHash = 0;
    differenceHash = 0;
    last = 0;
  }

  /// {@return the first prediction of value `i` of the block}
  ///
  /// @param block the values, known up to `i`
  /// @param columns values a row
  long first(MemorySegment block, long i, long columns) {
    if (!above) {
      return values[valueHash];
    }
    return i >= columns ? Words.get(block, (i - columns) * width, width) : last;
  }

  /// {@return the second prediction; as [#first]}
  long second(MemorySegment block, long i, long columns) {
    if (!lorenzo) {
      return (last + differences[differenceHash]) & wordMask;
    }
    if (i <= columns) {
      return last;
    }
    long up = Words.get(block, (i - columns) * width, width);
    long corner = Words.get(block, (i - columns - 1) * width, width);
    return (last + up - corner) & wordMask;
  }

  /// Learns what value `i` was.
  void learn(long word) {
    if (!above) {
      values[valueHash] = word;
      valueHash = ((valueHash << fcmShift) ^ (int) (word >>> valueDrop)) & tableMask;
    }
    if (!lorenzo) {
      long difference = (word - last) & wordMask;
      differences[differenceHash] = difference;
      differenceHash =
          ((differenceHash << dfcmShift) ^ (int) (difference >>> differenceDrop)) & tableMask;
    }
    last = word;
  }
}
