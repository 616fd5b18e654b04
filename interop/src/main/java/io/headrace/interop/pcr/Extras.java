package io.headrace.interop.pcr;

import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Takes an image's key and fields from the message in which Headrace writes them. Confined to one
/// thread.
final class Extras {
  private final MessageInput in = new MessageInput();
  private final MessageInput field = new MessageInput();

  /// Sets a sample's key and fields, all of which lie in its memory.
  ///
  /// @param memory of the sample
  /// @param start of the message in it, in bytes
  void read(Sample into, MemorySegment memory, long start, long length)
      throws DecodeException, IOException {
    in.reset(memory, start, start + length);
    while (in.more()) {
      int tag = in.tag();
      if (tag == Tags.EXTRA_KEY) {
        long size = in.length();
        into.key(in.position(), (int) size);
        in.pass(size);
      } else if (tag == Tags.EXTRA_FIELD) {
        long size = in.length();
        readField(into, memory, in.position(), size);
        in.pass(size);
      } else {
        in.skip(tag);
      }
    }
  }

  private void readField(Sample into, MemorySegment memory, long start, long length)
      throws DecodeException, IOException {
    long nameStart = start;
    long nameLength = 0;
    long valueStart = start;
    long valueLength = 0;
    boolean feature = false;
    field.reset(memory, start, start + length);
    while (field.more()) {
      int tag = field.tag();
      if (tag == Tags.FIELD_NAME || tag == Tags.FIELD_VALUE) {
        long size = field.length();
        if (tag == Tags.FIELD_NAME) {
          nameStart = field.position();
          nameLength = size;
        } else {
          valueStart = field.position();
          valueLength = size;
        }
        field.pass(size);
      } else if (tag == Tags.FIELD_IS_FEATURE) {
        feature = field.varint() != 0;
      } else {
        field.skip(tag);
      }
    }
    into.addField(nameStart, (int) nameLength, valueStart, valueLength, feature);
  }
}
