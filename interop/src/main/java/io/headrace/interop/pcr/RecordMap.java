package io.headrace.interop.pcr;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Where the parts of each image of a record lie. Immutable.
final class RecordMap {
  private final PcrIndex.Entry entry;
  private final RecordHead head;
  private final int[][] starts;
  private final int[][] lengths;
  private final Map<Integer, Tail> tails = new HashMap<>();

  /// What stands after an image's last scan.
  ///
  /// @param group whose part it follows, from 1
  /// @param start in bytes from the start of the file
  /// @param length in bytes
  record Tail(int group, long start, long length) {}

  /// Reads the structure of a record's messages, not their content.
  ///
  /// @param in over the record's file
  /// @throws DecodeException if they make no sense, or are others than the index says
  RecordMap(PcrIndex.Entry entry, MessageInput in) throws DecodeException, IOException {
    this.entry = entry;
    in.reset(0, entry.prefix(0));
    head = RecordHead.read(in, entry.groups());
    starts = new int[entry.groups()][];
    lengths = new int[entry.groups()][];
    for (int group = 1; group <= entry.groups(); group++) {
      readGroup(group, in);
    }
  }

  private void readGroup(int group, MessageInput in) throws DecodeException, IOException {
    long from = entry.prefix(group - 1);
    long to = entry.prefix(group);
    checkRoom(head.images(), to - from, group);
    int[] start = new int[head.images()];
    int[] length = new int[head.images()];
    var parts = new PartReader(in, head.images(), group);
    in.reset(from, to);
    for (int image = 0; image < start.length; image++) {
      length[image] = (int) parts.next();
      start[image] = (int) (in.position() - from);
      in.pass(length[image]);
      long tail = parts.tail();
      if (tail >= 0) {
        tails.put(image, new Tail(group, in.position(), tail));
        in.pass(tail);
      }
    }
    parts.end();
    starts[group - 1] = start;
    lengths[group - 1] = length;
  }

  /// An image takes at least two bytes of every scan group. So nothing is allocated for more images
  /// than there can be.
  private static void checkRoom(int images, long bytes, int group) throws DecodeException {
    if (2L * images > bytes) {
      throw new DecodeException(
          Fault.MISMATCH,
          "scan group %d has %d bytes, which cannot hold parts of %d images"
              .formatted(group, bytes, images));
    }
  }

  RecordHead head() {
    return head;
  }

  /// {@return where a part of an image lies, in bytes from the start of the file}
  ///
  /// @param group from 1
  long start(int image, int group) {
    return entry.prefix(group - 1) + starts[group - 1][image];
  }

  /// {@return bytes of a part of an image, 0 if it has no scan in the group}
  int length(int image, int group) {
    return lengths[group - 1][image];
  }

  /// {@return what an image has after its last scan, length -1 if just an end marker}
  Tail tail(int image) {
    return tails.getOrDefault(image, NO_TAIL);
  }

  private static final Tail NO_TAIL = new Tail(Integer.MAX_VALUE, 0, -1);
}
