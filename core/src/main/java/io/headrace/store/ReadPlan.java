package io.headrace.store;

import java.util.Arrays;

/// Which requests to make for pieces of files that will all be needed soon. Neighbours go into one
/// request, with the bytes between them if reading these is cheaper than another request.
///
/// Pure arithmetic; allocates nothing but where it grows. Pieces and requests are numbered from 0,
/// pieces as they were added, requests by file and offset. Confined.
final class ReadPlan {
  private static final int FEW = 64;

  private int[] files = new int[FEW];
  private long[] offsets = new long[FEW];
  private long[] lengths = new long[FEW];
  private int[] requestOf = new int[FEW];

  /// Pieces by file and offset.
  private int[] sorted = new int[FEW];

  private int pieces;

  private int[] firsts = new int[FEW];
  private long[] starts = new long[FEW];
  private long[] ends = new long[FEW];
  private int requests;

  /// A plan without pieces.
  ReadPlan() {}

  /// Forgets all pieces.
  void clear() {
    pieces = 0;
    requests = 0;
  }

  /// Adds a piece, in any order; pieces may overlap.
  ///
  /// @param file its number, the same for all pieces of a file
  /// @param offset of its first byte
  /// @param length in bytes, at least 0
  void add(int file, long offset, long length) {
    if (pieces == files.length) {
      int more = 2 * pieces;
      files = Arrays.copyOf(files, more);
      offsets = Arrays.copyOf(offsets, more);
      lengths = Arrays.copyOf(lengths, more);
      requestOf = new int[more];
      sorted = Arrays.copyOf(sorted, more);
      firsts = new int[more];
      starts = new long[more];
      ends = new long[more];
    }
    files[pieces] = file;
    offsets[pieces] = offset;
    lengths[pieces] = length;
    int at = pieces++;
    while (at > 0 && isBehind(sorted[at - 1], file, offset)) {
      sorted[at] = sorted[at - 1];
      at--;
    }
    sorted[at] = pieces - 1;
  }

  private boolean isBehind(int piece, int file, long offset) {
    return files[piece] != file ? files[piece] > file : offsets[piece] > offset;
  }

  /// Plans requests that together cover all pieces.
  ///
  /// @param gap the most bytes between two pieces that are read along with them. Worth reading is
  ///     what a device reads in the time of a request: its latency times its rate
  /// @param limit bytes of a request at most, unless one piece alone is longer
  void plan(long gap, long limit) {
    requests = 0;
    for (int i = 0; i < pieces; i++) {
      int piece = sorted[i];
      long offset = offsets[piece];
      long end = offset + lengths[piece];
      int last = requests - 1;
      if (last >= 0
          && files[sorted[firsts[last]]] == files[piece]
          && offset - ends[last] <= gap
          && Math.max(ends[last], end) - starts[last] <= limit) {
        ends[last] = Math.max(ends[last], end);
      } else {
        firsts[requests] = i;
        starts[requests] = offset;
        ends[requests] = end;
        requests++;
      }
      requestOf[piece] = requests - 1;
    }
  }

  /// {@return number of pieces}
  int pieces() {
    return pieces;
  }

  /// {@return whether a piece is the one described}
  boolean is(int piece, int file, long offset, long length) {
    return files[piece] == file && offsets[piece] == offset && lengths[piece] == length;
  }

  /// {@return the request that a piece lies in}
  int requestOf(int piece) {
    return requestOf[piece];
  }

  /// {@return number of requests}
  int requests() {
    return requests;
  }

  /// {@return number of pieces in a request}
  int piecesOf(int request) {
    int next = request + 1 < requests ? firsts[request + 1] : pieces;
    return next - firsts[request];
  }

  /// {@return bytes of a request's pieces, added up}
  long bytesOfPieces(int request) {
    long sum = 0;
    for (int i = firsts[request]; i < firsts[request] + piecesOf(request); i++) {
      sum += lengths[sorted[i]];
    }
    return sum;
  }

  /// {@return where a request begins in its file}
  long offset(int request) {
    return starts[request];
  }

  /// {@return bytes of a request}
  long length(int request) {
    return ends[request] - starts[request];
  }
}
