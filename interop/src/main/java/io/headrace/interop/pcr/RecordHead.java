package io.headrace.interop.pcr;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.io.IOException;
import java.util.Arrays;

/// What a record's metadata says: labels, and where keys and fields of its images lie, if Headrace
/// wrote it.
final class RecordHead {
  private static final int RAW = 2;

  private int images;
  private int[] labels = new int[64];
  private int extras;
  private long[] extraStart = new long[0];
  private int[] extraLength = new int[0];
  private long levels = -1;

  private RecordHead() {}

  /// {@return what the metadata says}
  ///
  /// @param in at its start
  /// @param groups scan groups that the index gives the record
  /// @throws DecodeException if it makes no sense, or says something else than the index
  static RecordHead read(MessageInput in, int groups) throws DecodeException, IOException {
    var head = new RecordHead();
    while (in.more()) {
      int tag = in.tag();
      switch (tag) {
        case Tags.LABEL -> head.add((int) in.varint());
        case Tags.LABELS -> {
          long until = in.length();
          until += in.position();
          while (in.position() < until) {
            head.add((int) in.varint());
          }
          if (in.position() != until) {
            throw new DecodeException(
                Fault.CORRUPT, "the last of the packed labels runs over the list's end");
          }
        }
        case Tags.LEVELS -> head.levels = in.varint();
        case Tags.VERSION -> {
          if (in.varint() == RAW) {
            throw new DecodeException(
                Fault.UNSUPPORTED,
                "record of version 2: its scan groups are bare bytes, which are not read");
          }
        }
        case Tags.EXTRA -> head.extra(in);
        default -> in.skip(tag);
      }
    }
    head.check(groups);
    return head;
  }

  private void add(int label) {
    if (images == labels.length) {
      labels = Arrays.copyOf(labels, 2 * images);
    }
    labels[images++] = label;
  }

  private void extra(MessageInput in) throws DecodeException, IOException {
    if (extras == extraStart.length) {
      extraStart = Arrays.copyOf(extraStart, Math.max(64, 2 * extras));
      extraLength = Arrays.copyOf(extraLength, extraStart.length);
    }
    long length = in.length();
    if (length > Integer.MAX_VALUE) {
      throw new DecodeException(Fault.LIMIT, "an image's fields of %d bytes".formatted(length));
    }
    extraStart[extras] = in.position();
    extraLength[extras++] = (int) length;
    in.pass(length);
  }

  private void check(int groups) throws DecodeException {
    if (levels != groups) {
      throw new DecodeException(
          Fault.MISMATCH,
          levels < 0
              ? "no number of levels in the metadata: the index does not fit the file"
              : "%d levels, but the index gives %d scan groups".formatted(levels, groups));
    }
    if (images > 0 && groups == 0) {
      throw new DecodeException(Fault.CORRUPT, "%d labels, but no scan group".formatted(images));
    }
    if (extras != 0 && extras != images) {
      throw new DecodeException(Fault.CORRUPT, "%d keys for %d images".formatted(extras, images));
    }
  }

  int images() {
    return images;
  }

  /// {@return class number of an image, from 0}
  int label(int image) {
    return labels[image];
  }

  /// {@return whether images have keys and fields}
  boolean hasExtras() {
    return extras > 0;
  }

  /// {@return where an image's key and fields lie, in bytes from the start of the file}
  long extraStart(int image) {
    return extraStart[image];
  }

  /// {@return bytes of an image's key and fields}
  int extraLength(int image) {
    return extraLength[image];
  }
}
