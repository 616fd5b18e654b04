package io.headrace.serve;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.headrace.error.ConfigException;
import io.headrace.memory.Batch;
import io.headrace.memory.BatchMemory;
import io.headrace.natives.Libc;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Memory for batches that other processes can map.
///
/// It is a file in a folder of the user's choice, such as one in memory. All of it is reserved
/// before anything is written: if it fits at the start, it always fits. The file has no name
/// that could be left behind. Another process opens it through this one's descriptor. If there is
/// but one, [#handedOver] closes that; from then on it lives as long as a process has it mapped.
final class SharedMemory implements BatchMemory, AutoCloseable {
  private static final int VERSION = 1;
  private static final ValueLayout.OfLong I64 =
      JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt I32 =
      JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path folder;
  private final int samples;
  private final boolean several;
  private final UUID token = UUID.randomUUID();
  private int descriptor = -1;
  private int slots;
  private SlotLayout layout = SlotLayout.of(1, 1, false);
  private MemorySegment memory = MemorySegment.NULL;

  /// @param folder to make the file in
  /// @param samples in a batch
  /// @param several whether several other processes map it
  SharedMemory(Path folder, int samples, boolean several) {
    this.several = several;
    this.folder = folder;
    this.samples = samples;
  }

  @Override
  public List<MemorySegment> take(int batches, long bytes, Arena life) {
    slots = batches;
    layout = SlotLayout.of(samples, bytes, several);
    long size = layout.slot(batches);
    try {
      descriptor = open();
      String fault = SharedFiles.reserve(descriptor, size);
      if (!fault.isEmpty()) {
        throw new ConfigException(
            "%s: shared memory for %d batches of %d samples needs %d bytes, available are %d (%s): "
                    .formatted(folder, batches, samples, size, available(), fault)
                + "name another folder with --shm, or ask for smaller or fewer batches with"
                + " --batch and --prefetch");
      }
      memory = map(size, life);
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
    memory.set(I64, 0, SlotLayout.MAGIC);
    memory.set(I32, 8, VERSION);
    memory.set(I64, 16, token.getMostSignificantBits());
    memory.set(I64, 24, token.getLeastSignificantBits());
    List<MemorySegment> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      all.add(memory.asSlice(layout.slot(i), bytes));
    }
    return all;
  }

  private int open() throws IOException {
    int unnamed = SharedFiles.openUnnamed(folder);
    if (unnamed >= 0) {
      return unnamed;
    }
    Path file = Files.createTempFile(folder, ".headrace-", ".shm");
    try {
      return SharedFiles.open(file);
    } finally {
      Files.delete(file);
    }
  }

  private long available() throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }

  private MemorySegment map(long size, Arena life) throws IOException {
    Path file = Path.of("/proc/self/fd/" + descriptor);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, size, life);
    }
  }

  /// {@return where another process of the same user finds it, until [#handedOver]}
  String path() {
    return "/proc/%d/fd/%d".formatted(ProcessHandle.current().pid(), descriptor);
  }

  /// {@return sixteen random bytes that stand in its header too, as hexadecimal digits}
  String token() {
    return "%016x%016x"
        .formatted(
            Long.reverseBytes(token.getMostSignificantBits()),
            Long.reverseBytes(token.getLeastSignificantBits()));
  }

  long size() {
    return layout.slot(slots);
  }

  int slots() {
    return slots;
  }

  SlotLayout layout() {
    return layout;
  }

  /// {@return the slot that a batch lies in}
  int slotOf(Batch batch) {
    long offset = batch.data().address() - memory.address() - layout.first();
    return Math.toIntExact(offset / layout.bytes());
  }

  /// Writes labels and ids of a batch after its samples.
  void describe(int slot, Batch batch) {
    long labels = layout.slot(slot) + layout.labels();
    long ids = layout.slot(slot) + layout.ids();
    for (int i = 0; i < batch.size(); i++) {
      memory.set(I64, labels + (long) i * Long.BYTES, batch.label(i));
      memory.set(I64, ids + (long) i * Long.BYTES, batch.id(i));
    }
  }

  /// Another process has mapped it. If that is the only one, no other can from now on.
  void handedOver() {
    if (!several) {
      close();
    }
  }

  /// Closes the descriptor. The mapping belongs to the loader, and ends with it.
  @Override
  public void close() {
    if (descriptor >= 0) {
      Libc.close(descriptor);
      descriptor = -1;
    }
  }
}
