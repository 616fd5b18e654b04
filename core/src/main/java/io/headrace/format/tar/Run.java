package io.headrace.format.tar;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageFormat;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Content;
import io.headrace.format.Sample;
import io.headrace.format.SampleIds;
import io.headrace.format.tar.archive.TarText;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The members of one key that follow each other: one sample, with its names and bytes in a
/// sample's memory. Reusable; confined to one thread.
final class Run {
  /// Members that a sample may have.
  static final int MAX_MEMBERS = 1024;

  /// Extensions that promise an image: in an archive `raw` does as well, `dib` does not.
  static final List<String> IMAGES =
      Stream.concat(ImageFormat.promising().stream(), Stream.of("raw"))
          .filter(extension -> !extension.equals("dib"))
          .toList();

  /// Extensions that promise sound, which is the sample where no member promises an image.
  static final List<String> SOUNDS = Content.SOUND.extensions();

  private byte[] stem = new byte[64];
  private int stemBytes;
  private long id;

  private int count;
  private long[] name = new long[8];
  private int[] nameBytes = new int[8];
  private long[] key = new long[8];
  private int[] keyBytes = new int[8];
  private long[] data = new long[8];
  private long[] dataBytes = new long[8];
  private boolean labelled;

  /// Hashes of its members' extensions.
  private long[] kinds = new long[8];

  private int kindCount;
  private @Nullable DecodeException fault;

  /// Begins with the key of a member.
  void begin(MemorySegment memory, long nameStart, int bytes) {
    if (stem.length < bytes) {
      stem = new byte[bytes];
    }
    MemorySegment.copy(memory, JAVA_BYTE, nameStart, stem, 0, bytes);
    stemBytes = bytes;
    id = SampleIds.of(memory.asSlice(nameStart, bytes));
    count = 0;
    labelled = false;
    kindCount = 0;
    fault = null;
  }

  /// {@return whether a key is the one it began with}
  boolean sameKey(MemorySegment memory, long nameStart, int bytes) {
    return bytes == stemBytes
        && MemorySegment.mismatch(
                memory, nameStart, nameStart + bytes, MemorySegment.ofArray(stem), 0, bytes)
            < 0;
  }

  /// {@return the hash of the key}
  long id() {
    return id;
  }

  /// {@return the key: the path without the extension}
  String stem() {
    return TarText.of(MemorySegment.ofArray(stem), 0, stemBytes);
  }

  /// Takes note of the extension of a member.
  void note(MemorySegment memory, long nameStart, int bytes) {
    int from = stemBytes + 1;
    labelled |= MemberName.is("cls", memory, nameStart + from, bytes - from);
    if (kindCount < MAX_MEMBERS) {
      if (kindCount == kinds.length) {
        kinds = Arrays.copyOf(kinds, 2 * kindCount);
      }
      kinds[kindCount++] = MemberName.hash(memory, nameStart + from, bytes - from);
    }
  }

  /// {@return hashes of the extensions of its members}
  long[] kinds() {
    return Arrays.copyOf(kinds, kindCount);
  }

  /// {@return whether a member has the extension with that hash}
  boolean hasKind(long kind) {
    for (int i = 0; i < kindCount; i++) {
      if (kinds[i] == kind) {
        return true;
      }
    }
    return false;
  }

  /// {@return whether a member is the label}
  boolean labelled() {
    return labelled;
  }

  /// Adds a member.
  ///
  /// @param nameAt of its name, in the sample's memory
  /// @param keyAt of the key that it carries
  /// @param keyLength bytes of this, or 0
  /// @param dataAt of its data
  /// @return whether there was room
  boolean add(long nameAt, int nameLength, long keyAt, int keyLength, long dataAt, long length) {
    if (count == MAX_MEMBERS) {
      fail(new DecodeException(Fault.LIMIT, "more than %d members".formatted(MAX_MEMBERS)));
      return false;
    }
    if (count == name.length) {
      name = Arrays.copyOf(name, 2 * count);
      nameBytes = Arrays.copyOf(nameBytes, 2 * count);
      key = Arrays.copyOf(key, 2 * count);
      keyBytes = Arrays.copyOf(keyBytes, 2 * count);
      data = Arrays.copyOf(data, 2 * count);
      dataBytes = Arrays.copyOf(dataBytes, 2 * count);
    }
    name[count] = nameAt;
    nameBytes[count] = nameLength;
    key[count] = keyAt;
    keyBytes[count] = keyLength;
    data[count] = dataAt;
    dataBytes[count++] = length;
    return true;
  }

  /// Makes it a bad sample, unless it is one already.
  void fail(DecodeException why) {
    if (fault == null) {
      fault = why;
    }
  }

  /// {@return whether it is a bad sample, as far as one knows}
  boolean failed() {
    return fault != null;
  }

  /// Sets what the sample is, whose memory holds the members.
  ///
  /// @param roles which members are what
  /// @throws DecodeException if it makes no sense; the key is set by then
  void fill(Sample into, MemberRoles roles) throws DecodeException {
    if (fault != null) {
      into.key(stem());
      throw fault;
    }
    MemorySegment memory = into.block().memory();
    String named = roles.image();
    int image = named == null ? content(memory) : member(memory, named);
    setKey(into, memory, image);
    checkTwice(memory);
    if (image < 0) {
      throw new DecodeException(
          Fault.MISMATCH,
          "no image among the members of '%s': %s".formatted(stem(), names(memory)));
    }
    into.encoded(data[image], dataBytes[image]);
    int label = member(memory, roles.label());
    boolean whole = roles.path().isEmpty();
    boolean list =
        whole && label >= 0 && !LabelText.set(into, stem(), data[label], dataBytes[label]);
    for (int m = 0; m < count; m++) {
      if (m != image && (m != label || !whole)) {
        addField(into, m);
      }
    }
    if (list) {
      addField(into, label);
      into.labelInField();
    } else if (!whole && label >= 0) {
      long free = 0;
      for (int m = 0; m < count; m++) {
        free = Math.max(free, Math.max(data[m] + dataBytes[m], name[m] + nameBytes[m]));
        free = Math.max(free, key[m] + keyBytes[m]);
      }
      LabelText.setJson(into, stem(), data[label], dataBytes[label], roles.path(), free);
    }
  }

  private void addField(Sample into, int m) {
    long start = extension(m);
    long length = extensionBytes(m);
    MemberName.lower(into.block().memory(), start, length);
    into.addField(start, (int) length, data[m], dataBytes[m], false);
  }

  /// {@return the member with an extension, or -1}
  ///
  /// @param extension in lower case
  private int member(MemorySegment memory, String extension) {
    for (int m = 0; m < count; m++) {
      if (MemberName.is(extension, memory, extension(m), extensionBytes(m))) {
        return m;
      }
    }
    return -1;
  }

  private void setKey(Sample into, MemorySegment memory, int image) {
    if (image < 0) {
      into.key(stem());
      return;
    }
    boolean carried = keyBytes[image] > 0;
    long start = carried ? key[image] : name[image];
    int length = carried ? keyBytes[image] : nameBytes[image];
    if (TarText.isUtf8(memory, start, length)) {
      into.key(start, length);
    } else {
      into.key(TarText.of(memory, start, length));
    }
  }

  private long extension(int member) {
    return name[member] + stemBytes + 1;
  }

  private long extensionBytes(int member) {
    return nameBytes[member] - stemBytes - 1L;
  }

  /// {@return the first member whose extension promises an image; else the first whose extension
  /// promises a sound; else the first whose bytes are either; else -1}
  private int content(MemorySegment memory) {
    int found = promised(memory, IMAGES);
    found = found < 0 ? promised(memory, SOUNDS) : found;
    for (int m = 0; m < count && found < 0; m++) {
      if (Content.of(memory.asSlice(data[m], dataBytes[m])) != null) {
        found = m;
      }
    }
    return found;
  }

  /// {@return the first member with one of some extensions; else the first with one of them after
  /// its last dot; else -1}
  private int promised(MemorySegment memory, List<String> extensions) {
    int last = -1;
    for (int m = 0; m < count; m++) {
      long start = extension(m);
      long end = start + extensionBytes(m);
      if (isOneOf(extensions, memory, start, end)) {
        return m;
      }
      long dot = end - 1;
      while (dot >= start && memory.get(JAVA_BYTE, dot) != '.') {
        dot--;
      }
      if (last < 0 && dot >= start && isOneOf(extensions, memory, dot + 1, end)) {
        last = m;
      }
    }
    return last;
  }

  /// {@return whether the name of a member promises an image or sound}
  boolean promisesPicture(MemorySegment memory, long nameAt, int nameLength) {
    long start = nameAt + stemBytes + 1;
    long end = nameAt + nameLength;
    return isOneOf(IMAGES, memory, start, end) || isOneOf(SOUNDS, memory, start, end);
  }

  private static boolean isOneOf(
      List<String> extensions, MemorySegment memory, long start, long end) {
    for (int i = 0; i < extensions.size(); i++) {
      if (MemberName.is(extensions.get(i), memory, start, end - start)) {
        return true;
      }
    }
    return false;
  }

  private void checkTwice(MemorySegment memory) throws DecodeException {
    for (int m = 1; m < count; m++) {
      for (int other = 0; other < m; other++) {
        if (nameBytes[m] == nameBytes[other]
            && MemberName.same(memory, extension(m), extension(other), extensionBytes(m))) {
          throw new DecodeException(
              Fault.DUPLICATE,
              "two members of '%s' are called %s".formatted(stem(), name(memory, m)));
        }
      }
    }
  }

  private String names(MemorySegment memory) {
    return IntStream.range(0, Math.min(count, 8))
        .mapToObj(m -> name(memory, m))
        .collect(Collectors.joining(", ", "", count > 8 ? ", …" : ""));
  }

  /// {@return a member's extension}
  private String name(MemorySegment memory, int member) {
    return TarText.of(memory, extension(member), extensionBytes(member));
  }
}
