package io.headrace.format.tar;

import java.util.Arrays;

/// The hashes of the keys that an archive was seen to have, in open addressing. Zero is not a
/// member: the hash 0 counts as 1.
final class KeySet {
  /// Keys that are kept apart at most: 64 MiB of memory.
  static final int MAX = 4 << 20;

  private long[] slots = new long[64];
  private int count;

  /// Adds a key.
  ///
  /// @return whether it is new; true also once there are too many to tell
  boolean add(long id) {
    if (full()) {
      return true;
    }
    if (2 * count >= slots.length) {
      grow();
    }
    boolean added = put(slots, id == 0 ? 1 : id);
    count += added ? 1 : 0;
    return added;
  }

  /// Forgets all keys. Cheap only where there are few.
  void clear() {
    Arrays.fill(slots, 0);
    count = 0;
  }

  /// {@return whether there are too many keys to tell}
  boolean full() {
    return count >= MAX;
  }

  private void grow() {
    long[] more = new long[2 * slots.length];
    for (long id : slots) {
      if (id != 0) {
        boolean _ = put(more, id);
      }
    }
    slots = more;
  }

  private static boolean put(long[] slots, long id) {
    int mask = slots.length - 1;
    int at = (int) id & mask;
    while (slots[at] != 0) {
      if (slots[at] == id) {
        return false;
      }
      at = (at + 1) & mask;
    }
    slots[at] = id;
    return true;
  }
}
