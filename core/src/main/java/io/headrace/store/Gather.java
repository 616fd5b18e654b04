package io.headrace.store;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads pieces of files. Pieces that were announced and lie near each other are read with one
/// request.
///
/// Pieces that were read together stay here until they are asked for. If a request fails, its
/// pieces are read one by one, so that only the damaged piece has the fault. Where a file answers
/// at once, only small pieces are read together, since copying a large one costs more than a
/// request. Confined.
public final class Gather implements AutoCloseable {
  /// The most bytes between two pieces that are read along with them.
  public static final long GAP = 4 << 10;

  /// Bytes of what is read together at one time, at most.
  private static final long MAX = 1 << 20;

  /// Bytes of a piece that is read along even if another request costs little.
  private static final long SMALL = 32 << 10;

  /// A request that takes this much longer than copying its bytes comes from a slow store.
  private static final double SLOW_NANOS = 50_000;

  private static final int NONE = -1;
  private static final int FAILED = -2;

  private final ReadPlan plan = new ReadPlan();
  private final Block stage;
  private final long limit;

  /// Where in the buffer each request's bytes go, [#NONE] or [#FAILED].
  private long[] places = new long[0];

  private boolean[] there = new boolean[0];
  private int next;
  private double latency;
  private long requests;
  private long between;

  /// Without memory yet.
  ///
  /// @param budget that what is read together is counted against
  /// @param limit bytes of that at most; it is never more than 1 MiB
  public Gather(MemoryBudget budget, long limit) {
    stage = new Block(budget);
    this.limit = Math.min(MAX, limit);
  }

  /// {@return bytes that can be read together}
  public long limit() {
    return limit;
  }

  /// {@return bytes of a piece that is read together with others, at most: few until the store has
  /// turned out slow to answer}
  public long largestPiece() {
    return latency > SLOW_NANOS ? limit : SMALL;
  }

  /// Forgets what was announced, and what of it was not asked for.
  public void clear() {
    plan.clear();
    next = 0;
  }

  /// Announces a piece.
  ///
  /// @param file its number, the same for all pieces of a file
  /// @param offset of its first byte
  /// @param length in bytes
  public void want(int file, long offset, long length) {
    if (length <= largestPiece()) {
      plan.add(file, offset, length);
    }
  }

  /// Decides what to read together, of all that was announced since [#clear].
  public void plan() {
    plan.plan(GAP, limit);
    if (places.length < plan.requests()) {
      places = new long[plan.pieces()];
      there = new boolean[plan.pieces()];
    }
    Arrays.fill(there, false);
    long at = 0;
    for (int request = 0; request < plan.requests(); request++) {
      long length = plan.length(request);
      boolean together = plan.piecesOf(request) > 1 && at + length <= limit;
      places[request] = together ? at : NONE;
      at += together ? length : 0;
    }
    try {
      MemorySegment _ = stage.ensure(at);
    } catch (DecodeException e) { // no memory to spare
      Arrays.fill(places, NONE);
    }
  }

  /// Fills part of a block with a piece.
  ///
  /// @param gather that the piece may have been announced to, or null
  /// @param number of the file
  /// @param into holds at least `at + length` bytes
  /// @throws IOException as [ByteFile#read(long, Block, long, long)]
  public static void read(
      @Nullable Gather gather,
      int number,
      ByteFile file,
      long position,
      Block into,
      long at,
      long length)
      throws IOException {
    if (gather == null) {
      file.read(position, into, at, length);
    } else {
      gather.read(number, file, position, into, at, length);
    }
  }

  private void read(int number, ByteFile file, long position, Block into, long at, long length)
      throws IOException {
    int piece = find(number, position, length);
    int request = piece < 0 ? NONE : plan.requestOf(piece);
    if (request < 0 || places[request] < 0 || !fetch(request, file)) {
      long start = System.nanoTime();
      requests++;
      file.read(position, into, at, length);
      timed(start, length);
      return;
    }
    long from = places[request] + position - plan.offset(request);
    MemorySegment.copy(stage.memory(), from, into.memory(), at, length);
  }

  /// {@return the number of a piece announced, or -1}
  private int find(int file, long position, long length) {
    int count = plan.pieces();
    for (int i = 0; i < count; i++) { // usually they are asked for as they were announced
      int piece = next + i < count ? next + i : next + i - count;
      if (plan.is(piece, file, position, length)) {
        next = piece + 1 == count ? 0 : piece + 1;
        return piece;
      }
    }
    return -1;
  }

  /// {@return whether a request's bytes are there}
  private boolean fetch(int request, ByteFile file) throws ClosedChannelException {
    if (there[request]) {
      return true;
    }
    long start = System.nanoTime();
    long length = plan.length(request);
    requests++;
    try {
      file.read(plan.offset(request), stage, places[request], length);
    } catch (ClosedChannelException e) {
      throw e; // the file has no fault
    } catch (IOException e) {
      places[request] = FAILED; // whoever asks next for a piece of it gets that piece's own fault
      return false;
    }
    timed(start, length);
    between += length - plan.bytesOfPieces(request);
    there[request] = true;
    return true;
  }

  /// Notes how long a request took beyond a quarter of a nanosecond a byte. A time far above the
  /// expected one counts only in part, since the thread may have waited for a core.
  private void timed(long start, long length) {
    double beyond = Math.max(0, System.nanoTime() - start - length / 4.0);
    latency += (Math.min(beyond, 8 * Math.max(latency, 2000)) - latency) / 8;
  }

  /// {@return requests made since this was last asked}
  public long takeRequests() {
    long made = requests;
    requests = 0;
    return made;
  }

  /// {@return bytes read since this was last asked that belong to no piece; below 0 where pieces
  ///     overlap}
  public long takeBetween() {
    long bytes = between;
    between = 0;
    return bytes;
  }

  @Override
  public void close() {
    stage.close();
  }
}
