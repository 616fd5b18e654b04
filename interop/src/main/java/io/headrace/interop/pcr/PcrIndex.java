package io.headrace.interop.pcr;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.ShardFiles;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The index over a folder of records: how many bytes the messages in each take.
///
/// @param file it was read from
/// @param entries by the numbers in their names, then by name
record PcrIndex(Path file, List<Entry> entries) {
  /// The name of the index that is one protobuf message.
  static final String PROTOBUF = "PCR_index.pb";

  /// The name of the index that is an SQLite database.
  static final String DATABASE = "PCR.db";

  private static final int MAX_MESSAGES = 1 << 16;
  private static final int WINDOW = 64 << 10;
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /// One record.
  ///
  /// @param name of its file, without folders
  /// @param lengths of its metadata and each of its scan groups, in bytes
  record Entry(String name, List<Long> lengths) {
    Entry {
      lengths = List.copyOf(lengths);
    }

    /// {@return bytes of the metadata and the first scan groups}
    long prefix(int groups) {
      long sum = 0;
      for (int i = 0; i <= groups; i++) {
        sum += lengths.get(i);
      }
      return sum;
    }

    int groups() {
      return lengths.size() - 1;
    }
  }

  /// {@return whether there is an index in `folder`}
  static boolean in(Path folder) {
    return Files.isRegularFile(folder.resolve(PROTOBUF))
        || Files.isRegularFile(folder.resolve(DATABASE));
  }

  /// {@return the index in `folder`: the protobuf one if there are two, since it needs no database}
  ///
  /// @throws CorruptDataException if it makes no sense
  static PcrIndex read(Path folder, Store store) throws IOException {
    Path protobuf = folder.resolve(PROTOBUF);
    Path database = folder.resolve(DATABASE);
    var entries = new Entries(Files.isRegularFile(protobuf) ? protobuf : database);
    if (Files.isRegularFile(protobuf)) {
      readProtobuf(protobuf, store, entries);
    } else if (Files.isRegularFile(database)) {
      try (ByteFile file = store.open(database)) {
        DecodeException other = ShardFiles.foreign(file, "an SQLite database");
        if (other != null) {
          throw CorruptDataException.at(Location.of(database.toString()), other);
        }
      }
      IndexDatabase.read(database, entries);
    } else {
      throw new NoSuchFileException(
          folder.toString(), null, "neither %s nor %s is in it".formatted(PROTOBUF, DATABASE));
    }
    return new PcrIndex(entries.file, entries.sorted());
  }

  /// Source: `DatasetOffsetsIndex` in TF_PCR's `progressive_compressed_record.proto`. Its converter
  /// lists a record once for each of its scans.
  private static void readProtobuf(Path path, Store store, Entries entries) throws IOException {
    try (ByteFile file = store.open(path);
        Arena arena = Arena.ofConfined()) {
      var in = new MessageInput(file, arena.allocate(WINDOW));
      in.reset(0, file.size());
      try {
        while (in.more()) {
          int tag = in.tag();
          if (tag == Tags.RECORD) {
            long length = in.length();
            readRecord(in, in.position() + length, entries);
          } else {
            in.skip(tag);
          }
        }
      } catch (DecodeException e) {
        DecodeException other = ShardFiles.foreign(file, "an index of records");
        throw other != null
            ? CorruptDataException.at(Location.of(path.toString()), other)
            : CorruptDataException.at(new Location(path.toString(), -1, null, in.position()), e);
      }
    }
  }

  private static void readRecord(MessageInput in, long until, Entries entries)
      throws DecodeException, IOException {
    String name = "";
    List<Long> lengths = new ArrayList<>();
    while (in.position() < until) {
      int tag = in.tag();
      switch (tag) {
        case Tags.RECORD_NAME -> name = in.text(4096);
        case Tags.RECORD_LENGTH -> lengths.add(in.varint());
        case Tags.RECORD_LENGTHS -> {
          long length = in.length();
          long end = in.position() + length;
          while (in.position() < end && lengths.size() <= MAX_MESSAGES) {
            lengths.add(in.varint());
          }
        }
        default -> in.skip(tag);
      }
      if (lengths.size() > MAX_MESSAGES) {
        throw new DecodeException(
            Fault.LIMIT, "a record of more than %d messages".formatted(MAX_MESSAGES));
      }
    }
    if (in.position() != until) {
      throw new DecodeException(Fault.CORRUPT, "a record's last field runs over its end");
    }
    entries.add(name, lengths);
  }

  /// Takes entries as they are read.
  static final class Entries {
    private final Path file;
    private final Map<String, Entry> byName = new LinkedHashMap<>();

    Entries(Path file) {
      this.file = file;
    }

    /// @param key path or name of the record's file: the converters write both
    /// @throws DecodeException if no record can have these lengths, or has other ones already
    void add(String key, List<Long> lengths) throws DecodeException {
      String name = key.substring(Math.max(key.lastIndexOf('/'), key.lastIndexOf('\\')) + 1);
      if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
        throw new DecodeException(Fault.CORRUPT, "a record named '%s'".formatted(key));
      }
      if (lengths.isEmpty() || lengths.size() > MAX_MESSAGES) {
        throw new DecodeException(
            Fault.CORRUPT, "record %s has %d messages".formatted(name, lengths.size()));
      }
      for (long length : lengths) {
        if (length < 0 || length > Integer.MAX_VALUE) {
          throw new DecodeException(
              Fault.CORRUPT,
              "record %s has a message of %d bytes: a protobuf message has 0 to %d"
                  .formatted(name, length, Integer.MAX_VALUE));
        }
      }
      var entry = new Entry(name, lengths);
      Entry before = byName.putIfAbsent(name, entry);
      if (before != null && !before.equals(entry)) {
        throw new DecodeException(
            Fault.DUPLICATE,
            "record %s has the lengths %s and %s"
                .formatted(name, before.lengths(), entry.lengths()));
      }
    }

    private List<Entry> sorted() {
      List<Entry> all = new ArrayList<>(byName.values());
      all.sort(
          Comparator.comparing((Entry e) -> numbers(e.name()), Arrays::compare)
              .thenComparing(Entry::name));
      return all;
    }
  }

  /// `PCR_2.pcr` comes before `PCR_10.pcr`.
  private static long[] numbers(String name) {
    return NUMBER
        .matcher(name)
        .results()
        .map(MatchResult::group)
        .filter(digits -> digits.length() < 19)
        .mapToLong(Long::parseLong)
        .toArray();
  }
}
