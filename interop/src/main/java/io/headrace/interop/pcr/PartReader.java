package io.headrace.interop.pcr;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.io.IOException;

/// Goes through the parts of one scan group, in the order of the images.
final class PartReader {
  private final MessageInput in;
  private final int images;
  private final int group;
  private int seen;
  private int pending = -1;

  /// @param in at the start of the group, at the latest when the first part is asked for
  /// @param images there are, by the metadata
  /// @param group its number, for messages
  PartReader(MessageInput in, int images, int group) {
    this.in = in;
    this.images = images;
    this.group = group;
  }

  /// {@return bytes of the next image's part; the caller reads or skips them next}
  long next() throws DecodeException, IOException {
    int tag = nextOf(Tags.PART);
    if (tag < 0) {
      throw new DecodeException(
          Fault.MISMATCH,
          "scan group %d has parts of %d images, the metadata has %d labels"
              .formatted(group, seen, images));
    }
    pending = -1;
    seen++;
    return in.length();
  }

  /// {@return bytes of the tail that follows the part, which the caller reads or skips next, or -1
  ///     if there is none}
  long tail() throws DecodeException, IOException {
    if (nextOf(Tags.TAIL) != Tags.TAIL) {
      return -1;
    }
    pending = -1;
    return in.length();
  }

  /// Checks that no part is left.
  void end() throws DecodeException, IOException {
    if (nextOf(Tags.PART) == Tags.PART) {
      throw new DecodeException(
          Fault.MISMATCH,
          "scan group %d has parts of more than the %d images that have labels"
              .formatted(group, images));
    }
  }

  /// {@return the tag of the next part, or tail if asked for one; -1 at the end}
  private int nextOf(int wanted) throws DecodeException, IOException {
    while (pending >= 0 || in.more()) {
      int tag = pending >= 0 ? pending : in.tag();
      if (tag == wanted || tag == Tags.PART) {
        pending = tag;
        return tag;
      }
      pending = -1;
      in.skip(tag);
    }
    return -1;
  }
}
