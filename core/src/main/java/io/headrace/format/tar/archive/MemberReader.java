package io.headrace.format.tar.archive;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.FirstBytes;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Walks the members of an archive: ustar, PAX and GNU headers, long names, sizes in base 256.
///
/// A lone block of zeros, or an end-of-archive mark with members after it, does not end the walk:
/// archives that were put after each other are all read, and [Notes] says so. Confined to one
/// thread.
public final class MemberReader implements Closeable {
  /// What a member is.
  public enum Kind {
    /// A regular file.
    FILE,
    /// A regular file with holes, which is not read.
    SPARSE,
    /// A folder.
    FOLDER,
    /// A link, a device, a pipe, part of another volume.
    SPECIAL
  }

  /// Bytes of extension headers before one member, and how many these may be.
  private static final long MAX_EXTENSION_BYTES = 1L << 20;

  private static final int MAX_EXTENSIONS = 16;

  /// Bytes looked at after an end-of-archive mark before the rest is left alone.
  private static final long MAX_TAIL_BYTES = 16L << 20;

  private static final int BLOCK = TarHeader.BLOCK;

  private final TarBytes in;
  private final String file;
  private final Notes notes;

  /// The headers of a member with the data of its extension headers, one after the other.
  private final Block head = new Block(MemoryBudget.unbounded());

  private final PaxRecords pax = new PaxRecords();

  private long headBytes;
  private int extensions;
  private long longName;
  private int longNameBytes;

  private long offset;
  private boolean crossedEnd;
  private boolean endSeen;
  private boolean noEnd;
  private Kind kind = Kind.FILE;
  private char type;
  private long nameStart;
  private int nameBytes;
  private long size;
  private @Nullable DecodeException sparseFault;

  /// @param file the archive's name, for notes
  public MemberReader(TarBytes in, String file, Notes notes) {
    this.in = in;
    this.file = file;
    this.notes = notes;
  }

  /// Goes on to the next member; the data of the last one must have been passed.
  ///
  /// @return whether there is one
  /// @throws DecodeException if the archive is damaged here; nothing after that can be read then
  public boolean next() throws IOException, DecodeException {
    begin();
    int zeros = 0;
    long tail = 0;
    while (true) {
      MemorySegment memory = head.ensureKeeping(headBytes + BLOCK);
      long got = in.take(memory, headBytes, BLOCK);
      boolean ended = endSeen || zeros >= 2;
      if (got < BLOCK) {
        return stop(got, zeros, ended);
      }
      if (extensions == 0 && TarHeader.isZero(memory, headBytes)) {
        zeros++;
        endSeen |= zeros >= 2;
        tail += BLOCK;
        offset += BLOCK;
        if (tail > MAX_TAIL_BYTES) {
          notes.add(Notes.Kind.TAIL, file);
          return false;
        }
        continue;
      }
      if (!TarHeader.isSound(memory, headBytes)) {
        if (zeros >= 2) {
          notes.add(Notes.Kind.TAIL, file);
          long _ = in.skip(MAX_TAIL_BYTES); // a compressed stream's checksum comes next
          return false;
        }
        DecodeException other = foreign(memory, BLOCK);
        throw other != null
            ? other
            : new DecodeException(
                Fault.CORRUPT, "no tar header: the checksum of the 512 bytes here is wrong");
      }
      if (zeros > 0) {
        notes.add(Notes.Kind.GOES_ON, file + " at byte " + offset);
        crossedEnd = true;
        zeros = 0;
        endSeen = false;
      }
      type = TarHeader.type(memory, headBytes);
      if (!isExtension(type)) {
        member(memory, headBytes);
        return true;
      }
      extension(memory, TarHeader.size(memory, headBytes));
    }
  }

  private void begin() {
    offset = in.position();
    headBytes = 0;
    extensions = 0;
    longNameBytes = -1;
    crossedEnd = false;
    noEnd = false;
    sparseFault = null;
    pax.clear();
  }

  private boolean stop(long got, int zeros, boolean ended) throws DecodeException {
    if (extensions > 0) {
      throw new DecodeException(
          Fault.TRUNCATED, "the archive ends between an extended header and its member");
    }
    if (got > 0 && !ended) {
      DecodeException other = foreign(head.memory(), got);
      if (other != null) {
        throw other;
      }
      throw new DecodeException(
          Fault.TRUNCATED, "the archive ends after %d of %d header bytes".formatted(got, BLOCK));
    }
    if (got > 0) {
      notes.add(Notes.Kind.TAIL, file);
    } else if (zeros == 0 && !ended) {
      notes.add(Notes.Kind.NO_END, file);
      noEnd = true;
    }
    return false;
  }

  private static boolean isExtension(char type) {
    return switch (type) {
      case 'x', 'X', 'g', 'L', 'K' -> true;
      default -> false;
    };
  }

  private void extension(MemorySegment memory, long bytes) throws IOException, DecodeException {
    if (++extensions > MAX_EXTENSIONS) {
      throw new DecodeException(
          Fault.LIMIT, "more than %d extended headers before one member".formatted(extensions - 1));
    }
    if (type == 'g' || type == 'K') { // defaults for all files, none of which we use; a link's name
      requireAll(in.skip(TarHeader.padded(bytes)), bytes);
      return;
    }
    long at = headBytes + BLOCK;
    if (bytes > MAX_EXTENSION_BYTES - at) {
      throw new DecodeException(
          Fault.LIMIT,
          "an extended header of %d bytes: at most %d are read"
              .formatted(bytes, MAX_EXTENSION_BYTES));
    }
    MemorySegment grown = memory.byteSize() < at + bytes ? head.ensureKeeping(at + bytes) : memory;
    requireAll(in.take(grown, at, bytes), bytes);
    requireAll(in.skip(TarHeader.padded(bytes) - bytes), TarHeader.padded(bytes) - bytes);
    headBytes = at + bytes;
    if (type == 'L') {
      longName = at;
      longNameBytes = TarHeader.textLength(grown, at, bytes);
    } else {
      pax.read(grown, at, bytes);
    }
  }

  private static void requireAll(long got, long bytes) throws DecodeException {
    if (got < bytes) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "extended header cut short: %d bytes are declared, %d are there".formatted(bytes, got));
    }
  }

  /// Takes what the member's own header says, where its extended headers say nothing.
  private void member(MemorySegment memory, long at) throws IOException, DecodeException {
    size = pax.size() >= 0 ? pax.size() : TarHeader.size(memory, at);
    boolean gnuSparse = type == 'S';
    long claimed = gnuSparse ? TarHeader.sparseBytes(memory, at) : 0;
    boolean mapGoesOn = gnuSparse && TarHeader.sparseGoesOn(memory, at, true);
    name(memory, at);
    kind =
        switch (type) {
          case '0', '\0', '7' -> {
            boolean folder = nameBytes > 0 && nameByte(nameBytes - 1) == '/';
            yield folder ? Kind.FOLDER : pax.sparse() ? Kind.SPARSE : Kind.FILE;
          }
          case 'S' -> Kind.SPARSE;
          case '5' -> Kind.FOLDER;
          default -> Kind.SPECIAL;
        };
    if (type >= '1' && type <= '6') {
      size = 0; // these have no data, whatever they say
    }
    if (kind == Kind.SPARSE) {
      sparseFault = sparse(claimed, gnuSparse);
      while (mapGoesOn) {
        MemorySegment block = head.ensureKeeping(headBytes + 2 * BLOCK);
        requireAll(in.take(block, headBytes + BLOCK, BLOCK), BLOCK);
        mapGoesOn = TarHeader.sparseGoesOn(block, headBytes + BLOCK, false);
      }
    }
  }

  /// {@return what the archive is, if its first bytes are known as those of something else}
  private @Nullable DecodeException foreign(MemorySegment memory, long bytes) {
    return offset == 0 && headBytes == 0
        ? FirstBytes.foreign(memory.asSlice(0, bytes), "a tar archive")
        : null;
  }

  private DecodeException sparse(long claimed, boolean gnu) {
    return gnu && (claimed < 0 || claimed > size)
        ? new DecodeException(
            Fault.CORRUPT,
            "a sparse file whose map claims %s bytes, of which %d are stored"
                .formatted(claimed < 0 ? "a negative number of" : claimed, size))
        : new DecodeException(Fault.UNSUPPORTED, "a sparse file: these are not read");
  }

  private void name(MemorySegment memory, long at) {
    if (pax.pathLength() > 0) {
      nameStart = pax.pathStart();
      nameBytes = (int) pax.pathLength();
      return;
    }
    if (longNameBytes >= 0) {
      nameStart = longName;
      nameBytes = longNameBytes;
      return;
    }
    nameStart = at;
    nameBytes = TarHeader.textLength(memory, at + TarHeader.NAME, TarHeader.NAME_BYTES);
    if (TarHeader.isPosix(memory, at)) {
      int prefix = TarHeader.textLength(memory, at + TarHeader.PREFIX, TarHeader.PREFIX_BYTES);
      if (prefix > 0) { // joined in place, over fields that were read already
        MemorySegment.copy(memory, at, memory, at + prefix + 1, nameBytes);
        MemorySegment.copy(memory, at + TarHeader.PREFIX, memory, at, prefix);
        memory.set(JAVA_BYTE, at + prefix, (byte) '/');
        nameBytes += prefix + 1;
      }
    }
  }

  private byte nameByte(int index) {
    return head.memory().get(JAVA_BYTE, nameStart + index);
  }

  /// {@return where in the archive the member's first header begins}
  public long offset() {
    return offset;
  }

  /// {@return whether an end-of-archive mark lies between the last member and this one}
  public boolean crossedEnd() {
    return crossedEnd;
  }

  /// {@return whether the archive has ended without its mark}
  public boolean noEnd() {
    return noEnd;
  }

  public Kind kind() {
    return kind;
  }

  /// {@return the type as the header has it, such as `2` for a symbolic link}
  public char type() {
    return type;
  }

  /// {@return bytes of data as stored, without padding}
  public long size() {
    return size;
  }

  /// {@return the memory in which name and key lie, until the next member}
  public MemorySegment memory() {
    return head.memory();
  }

  public long nameStart() {
    return nameStart;
  }

  public int nameBytes() {
    return nameBytes;
  }

  public String name() {
    return TarText.of(memory(), nameStart, nameBytes);
  }

  public long keyStart() {
    return pax.keyStart();
  }

  /// {@return bytes of the sample's key that the member carries; 0 if it carries none}
  public int keyBytes() {
    return (int) pax.keyLength();
  }

  /// {@return why a sparse file is not read, else null}
  public @Nullable DecodeException sparseFault() {
    return sparseFault;
  }

  @Override
  public void close() {
    head.close();
  }
}
