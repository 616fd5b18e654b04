package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.format.tar.archive.HeaderWriter;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/// Lays out the members of a sample: for each, u64 bytes of its extension, u64 bytes of its data,
/// extension, data. Headers are left to the writer of the shard, who sees which stems are taken.
final class TarPacker implements SamplePacker {
  static final long MEMBER_HEADER = 2 * Long.BYTES;

  private final FeatureJson json = new FeatureJson();

  @Override
  public long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
      throws DecodeException {
    MemberPath path = MemberPath.of(meta.key(), encoded);
    Set<String> taken = new HashSet<>();
    boolean labelled = meta.label() != Sample.NO_LABEL;
    if (labelled || source.labelField() < 0) {
      taken.add("cls"); // else it is free for the list that the label is
    }
    long at = member(into, 0, unique(path.extension(), taken), encoded);
    if (labelled) {
      at = member(into, at, "cls", text(Long.toString(meta.label())));
    }
    for (int f = 0; f < source.fields(); f++) {
      String extension = MemberPath.extensionOf(source.fieldName(f));
      MemorySegment data = source.field(f);
      if (source.isFeature(f)) {
        extension += ".json";
        data = MemorySegment.ofArray(json.of(data));
      }
      at = member(into, at, unique(extension, taken), data);
    }
    return at;
  }

  private static String unique(String extension, Set<String> taken) {
    String free = extension;
    while (!taken.add(free.toLowerCase(Locale.ROOT))) {
      free += "_";
    }
    return free;
  }

  private static MemorySegment text(String text) {
    return MemorySegment.ofArray(text.getBytes(UTF_8));
  }

  private static long member(Block into, long at, String extension, MemorySegment data)
      throws DecodeException {
    long bytes = data.byteSize();
    if (bytes > HeaderWriter.MAX_BYTES) {
      throw new DecodeException(
          Fault.LIMIT,
          "a member of %d bytes: ustar takes %d".formatted(bytes, HeaderWriter.MAX_BYTES));
    }
    MemorySegment name = text(extension);
    long start = at + MEMBER_HEADER;
    MemorySegment memory = into.ensureKeeping(start + name.byteSize() + bytes);
    memory.set(JAVA_LONG_UNALIGNED, at, name.byteSize());
    memory.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, bytes);
    MemorySegment.copy(name, 0, memory, start, name.byteSize());
    MemorySegment.copy(data, 0, memory, start + name.byteSize(), bytes);
    return start + name.byteSize() + bytes;
  }

  @Override
  public void close() {
    json.close();
  }
}
