package io.headrace.format.tar;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.tar.archive.MemberReader;
import io.headrace.format.tar.archive.Notes;
import io.headrace.format.tar.archive.TarBytes;
import io.headrace.format.tar.archive.TarHeader;
import io.headrace.memory.Block;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Groups the members of an archive into samples. Confined to one thread.
///
/// Where the archive is damaged, reading ends. The sample before the damage goes with it, as nobody
/// saw whether it has another member.
final class RunReader implements Closeable {
  private static final long[] NONE = {};

  private final TarBytes in;
  private final String file;
  private final Notes notes;
  private final MemberReader members;
  private final KeySet keys = new KeySet();
  private final Run run = new Run();

  /// Whether [#members] stands at the first member of the next run.
  private boolean held;

  private boolean ended;
  private int stemBytes;

  /// Whether an end-of-archive mark lies before that member.
  private boolean crossedEnd;

  private long record = -1;
  private long start;
  private long end;
  private boolean holes;
  private boolean reappears;
  private boolean cut;

  /// Extensions, as hashes, that all runs before this one have; null before the first.
  private long @Nullable [] common;

  /// What the first sample of another archive has, in case this one has a single sample.
  private Supplier<long[]> others = () -> NONE;

  /// Whether the bytes of images and sounds are passed over.
  private boolean passing;

  /// @param file the archive's name, for places
  RunReader(TarBytes in, String file, Notes notes) {
    this.in = in;
    this.file = file;
    this.notes = notes;
    members = new MemberReader(in, file, notes);
  }

  /// Compares the sample of an archive that has but one with that of another archive of the set.
  void others(Supplier<long[]> kinds) {
    others = kinds;
  }

  /// Passes over the bytes of members whose extensions promise an image or sound: they are there
  /// then, and empty.
  void passPictures() {
    passing = true;
  }

  /// Starts afresh, after its bytes have been set to another place, as if nothing had been read.
  void restart() {
    held = false;
    ended = false;
    record = -1;
    common = null;
    keys.clear();
  }

  /// Reads the next run.
  ///
  /// @param memory takes the members' names and bytes; null to pass over these
  /// @param filled bytes that the memory holds already, after which names are put
  /// @return whether there was one
  /// @throws CorruptDataException if the archive is damaged; nothing more can be read then
  boolean next(@Nullable Block memory, long filled) throws IOException {
    if (ended) {
      return false;
    }
    record++;
    start = in.position();
    boolean begun = held;
    try {
      if (!held && !advance()) {
        ended = true;
        record--;
        if (record < 0) {
          notes.add(Notes.Kind.EMPTY, file);
        }
        return false;
      }
      begin();
      begun = true;
      long have = filled;
      do {
        have = take(memory, have);
      } while (advance()
          && !crossedEnd
          && run.sameKey(members.memory(), members.nameStart(), stemBytes));
      held = stemBytes >= 0;
      ended = !held;
      finish();
      return true;
    } catch (DecodeException e) {
      ended = true;
      throw new CorruptDataException(
          e.fault(), reason(begun, String.valueOf(e.getMessage())), where(begun), e);
    } catch (CorruptDataException e) {
      ended = true;
      throw new CorruptDataException(e.fault(), reason(begun, e.reason()), where(begun), e);
    }
  }

  private String reason(boolean begun, String what) {
    long at = members.offset();
    String place = begun && at != start ? " (in the headers at byte %d)".formatted(at) : "";
    return "%s%s; the rest of the archive is lost".formatted(what, place);
  }

  private Location where(boolean begun) {
    return new Location(file, record, begun ? run.stem() : null, begun ? start : members.offset());
  }

  /// Goes on to the next member that is part of a sample; [#stemBytes] is then -1 at the end.
  private boolean advance() throws IOException, DecodeException {
    stemBytes = -1;
    crossedEnd = false;
    while (members.next()) {
      crossedEnd |= members.crossedEnd();
      MemberReader.Kind kind = members.kind();
      if (kind == MemberReader.Kind.FILE || kind == MemberReader.Kind.SPARSE) {
        stemBytes =
            MemberName.stemLength(members.memory(), members.nameStart(), members.nameBytes());
        if (stemBytes >= 0) {
          return true;
        }
        leftOut(Notes.Kind.KEYLESS);
      } else if (kind == MemberReader.Kind.SPECIAL) {
        leftOut(Notes.Kind.SPECIAL);
      }
      pass(members.size());
    }
    return false;
  }

  private void leftOut(Notes.Kind kind) {
    String example =
        notes.first(kind)
            ? "%s (type '%c') in %s".formatted(members.name(), members.type(), file)
            : "";
    notes.add(kind, example);
  }

  private void begin() {
    start = members.offset();
    end = start;
    holes = false;
    run.begin(members.memory(), members.nameStart(), stemBytes);
    reappears = !keys.add(run.id());
    held = false;
  }

  private void finish() {
    if (!run.labelled()) {
      notes.add(
          Notes.Kind.UNLABELLED,
          notes.first(Notes.Kind.UNLABELLED) ? "%s in %s".formatted(run.stem(), file) : "");
    }
    if (reappears) {
      run.fail(reappears(run));
    }
    compare();
    if (keys.full() && notes.first(Notes.Kind.KEYS)) {
      notes.add(Notes.Kind.KEYS, file);
    }
  }

  /// An archive that ends without its mark may have been cut between two members: it was, if its
  /// last sample lacks one that all others have.
  private void compare() {
    long[] all = common;
    cut = false;
    if (ended && members.noEnd()) {
      for (long kind : all == null ? others.get() : all) {
        cut |= !run.hasKind(kind);
      }
      if (cut) {
        run.fail(cut(run));
      }
      return;
    }
    if (all == null) {
      common = run.kinds();
      return;
    }
    for (int i = 0; i < all.length; i++) {
      if (!run.hasKind(all[i])) { // seldom more than once
        common = Arrays.stream(all).filter(run::hasKind).toArray();
        return;
      }
    }
  }

  static DecodeException cut(Run run) {
    return new DecodeException(
        Fault.TRUNCATED,
        "the archive ends without its mark, and '%s' lacks members that all other samples have"
            .formatted(run.stem()));
  }

  static DecodeException reappears(Run run) {
    return new DecodeException(
        Fault.DUPLICATE,
        "key '%s' reappears: the members of a sample must follow each other".formatted(run.stem()));
  }

  /// Takes in the member that [#members] stands at.
  ///
  /// @return where the memory is free
  private long take(@Nullable Block memory, long have) throws IOException, DecodeException {
    run.note(members.memory(), members.nameStart(), members.nameBytes());
    holes |= members.offset() != end;
    long size = members.size();
    DecodeException sparse = members.sparseFault();
    if (sparse != null) {
      run.fail(sparse);
    }
    long free = have;
    if (memory == null || run.failed()) {
      pass(size);
    } else {
      free = place(memory, have, size);
    }
    end = in.position();
    return free;
  }

  private long place(Block memory, long have, long size) throws IOException, DecodeException {
    long dataStart = in.position();
    long placed = 0;
    long free = have;
    try {
      MemorySegment head = members.memory();
      int name = members.nameBytes();
      int key = members.keyBytes();
      MemorySegment room = memory.ensureKeeping(have + name + key);
      MemorySegment.copy(head, members.nameStart(), room, have, name);
      MemorySegment.copy(head, members.keyStart(), room, have + name, key);
      free = have + name + key;
      long at = in.placeAt(free);
      if (passing && run.promisesPicture(room, have, name)) {
        if (run.add(have, name, have + name, key, free, 0)) {
          pass(size);
        }
        return free;
      }
      if (run.add(have, name, have + name, key, at, size)) {
        placed = in.place(memory, free, size);
        free = at == free ? free + placed : free;
      }
    } catch (DecodeException e) { // the memory is too small for this sample
      run.fail(e);
    }
    if (run.failed()) {
      pass(size - (in.position() - dataStart));
    } else {
      requireData(placed, size);
      long _ = in.skip(TarHeader.padded(size) - size);
    }
    return free;
  }

  /// Passes over data and its padding.
  private void pass(long size) throws IOException, DecodeException {
    requireData(in.skip(size), size);
    long _ = in.skip((TarHeader.BLOCK - in.position() % TarHeader.BLOCK) % TarHeader.BLOCK);
  }

  private void requireData(long got, long size) throws DecodeException {
    if (got < size) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "the archive ends in '%s': %d of %d bytes are there"
              .formatted(members.name(), members.size() - (size - got), members.size()));
    }
  }

  /// {@return the run just read}
  Run run() {
    return run;
  }

  /// {@return its number, from 0}
  long record() {
    return record;
  }

  /// {@return where in the archive it begins}
  long start() {
    return start;
  }

  /// {@return where in the archive it ends: after the padding of its last member}
  long end() {
    return end;
  }

  /// {@return whether members that are no part of it lie in it}
  boolean holes() {
    return holes;
  }

  /// {@return whether it is the last one of an archive that was cut within it}
  boolean cut() {
    return cut;
  }

  /// {@return whether an earlier run had the same key}
  boolean reappears() {
    return reappears;
  }

  @Override
  public void close() {
    members.close();
  }
}
