package io.headrace.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Which requests to make for pieces of a file that will all be wanted soon: neighbours go into
/// one request, with the bytes between them where reading these is cheaper than another request.
/// Pure arithmetic.
public final class ReadPlan {
  private ReadPlan() {}

  /// One piece of a file.
  ///
  /// @param offset of its first byte
  /// @param length in bytes, at least 0
  public record Piece(long offset, long length) {
    /// {@return the offset behind its last byte}
    public long end() {
      return offset + length;
    }
  }

  /// One request.
  ///
  /// @param offset of its first byte
  /// @param length in bytes
  /// @param pieces numbers of the pieces that lie in it, by offset
  public record Request(long offset, long length, List<Integer> pieces) {
    /// Copies the list.
    public Request {
      pieces = List.copyOf(pieces);
    }
  }

  /// Plans requests that together cover all pieces, by offset.
  ///
  /// @param pieces in any order; they may overlap
  /// @param gap bytes between two pieces that are read along with them at most. Worth it is what a
  ///     device reads in the time of a request: its latency times its rate
  /// @param limit bytes of a request at most, unless one piece alone is longer
  public static List<Request> of(List<Piece> pieces, long gap, long limit) {
    Integer[] order = new Integer[pieces.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(i -> pieces.get(i).offset()));
    List<Request> requests = new ArrayList<>();
    List<Integer> together = new ArrayList<>();
    long start = 0;
    long end = 0;
    for (int number : order) {
      Piece piece = pieces.get(number);
      long longer = Math.max(end, piece.end());
      if (!together.isEmpty() && (piece.offset() - end > gap || longer - start > limit)) {
        requests.add(new Request(start, end - start, together));
        together.clear();
      }
      if (together.isEmpty()) {
        start = piece.offset();
        end = piece.end();
      } else {
        end = longer;
      }
      together.add(number);
    }
    if (!together.isEmpty()) {
      requests.add(new Request(start, end - start, together));
    }
    return requests;
  }
}
