package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.jpeg.HeaderSegments;
import io.headrace.codec.jpeg.JpegHeader;
import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Looks whether a rewritten JPEG has the coefficients of its source: reads both, block by block,
/// and keeps none.
public final class SideBySide {
  private final Side left = new Side();
  private final Side right = new Side();
  private final HeaderSegments segments = new HeaderSegments();
  private final EntropyTables tables = new EntropyTables();

  /// A JPEG as it is read.
  private static final class Side {
    private final JpegHeader header = new JpegHeader();
    private final PlainScan scan = new PlainScan();
    private final ScanBits bits = new ScanBits();
    private final int[] before = new int[3];
    private final int[] coefficients = new int[ScanBits.ROOM];
    private int across;
    private int untilRestart;
    private int restarts;

    boolean open(MemorySegment jpeg) throws DecodeException {
      header.read(jpeg);
      if (!scan.read(jpeg, header) || u8(jpeg, scan.start() - 1) != 0) {
        return false;
      }
      across = Math.ceilDiv(header.width(), 8 * scan.columns[0]);
      bits.load(jpeg, scan.start());
      Arrays.fill(before, 0);
      Arrays.fill(coefficients, 0);
      untilRestart = header.restartInterval();
      restarts = 0;
      return true;
    }

    /// Goes to the next MCU.
    boolean next() {
      if (header.restartInterval() > 0) {
        if (untilRestart == 0) {
          if (!bits.resume(Markers.RST0 + (restarts++ & 7))) {
            return false;
          }
          Arrays.fill(before, 0);
          untilRestart = header.restartInterval();
        }
        untilRestart--;
      }
      return bits.ready();
    }

    /// Reads a block over zeros.
    ///
    /// @return as [ScanBits#block]
    int block(int component) {
      int found =
          bits.block(scan.dc[component], scan.ac[component], before[component], coefficients);
      before[component] = found >> 8;
      return found;
    }

    boolean finished(MemorySegment jpeg) {
      return bits.finished() && bits.marker() == jpeg.byteSize() - 2;
    }
  }

  /// Compares two JPEGs.
  ///
  /// @param made may have more MCUs in a row: what stands there is only read
  /// @param maxPixels that they may have
  /// @return whether both are sound and usual, and have the same size, components, quantisation and
  ///     coefficients; if not, only [io.headrace.codec.jpeg.coefficients.JpegCoefficients] can tell
  public boolean same(MemorySegment source, MemorySegment made, long maxPixels) {
    try {
      return usual(source)
          && usual(made)
          && left.open(source)
          && right.open(made)
          && same(maxPixels)
          && left.finished(source)
          && right.finished(made);
    } catch (DecodeException e) {
      return false;
    }
  }

  /// {@return whether a header holds nothing but what a baseline JPEG of one frame needs}
  private boolean usual(MemorySegment jpeg) throws DecodeException {
    int frames = 0;
    segments.reset(jpeg);
    while (segments.next() != Markers.SOS) {
      int marker = segments.marker();
      if (segments.startOfFrame()) {
        frames++;
      } else if (marker == Markers.DQT) {
        tables.readQuantisation(jpeg, segments.start(), segments.end());
      } else if (marker == Markers.DRI) {
        tables.readRestartInterval(jpeg, segments.start(), segments.end());
      } else if (marker == Markers.DHT) {
        tables.readHuffman(jpeg, segments.start(), segments.end());
      } else if (!Markers.application(marker)) {
        return false;
      }
    }
    return frames == 1;
  }

  private boolean same(long maxPixels) {
    if ((long) left.header.width() * left.header.height() > maxPixels || !alike()) {
      return false;
    }
    int down = Math.ceilDiv(left.header.height(), 8 * left.scan.rows[0]);
    for (int row = 0; row < down; row++) {
      for (int column = 0; column < right.across; column++) {
        if (!(column < left.across ? mcu() : padding())) {
          return false;
        }
      }
    }
    return left.bits.ready() && right.bits.ready();
  }

  private boolean alike() {
    JpegHeader a = left.header;
    JpegHeader b = right.header;
    if (a.height() != b.height() || a.width() > b.width() || a.components() != b.components()) {
      return false;
    }
    for (int i = 0; i < a.components(); i++) {
      if (a.id(i) != b.id(i)
          || a.horizontalFactor(i) != b.horizontalFactor(i)
          || a.verticalFactor(i) != b.verticalFactor(i)
          || !Arrays.equals(left.scan.quantisation[i], right.scan.quantisation[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean mcu() {
    if (!left.next() || !right.next()) {
      return false;
    }
    for (int i = 0; i < left.scan.components(); i++) {
      for (int block = left.scan.columns[i] * left.scan.rows[i]; block > 0; block--) {
        int found = left.block(i);
        if (found == ScanBits.BAD
            || found != right.block(i)
            || !Arrays.equals(left.coefficients, 0, 64, right.coefficients, 0, 64)) {
          return false;
        }
        Arrays.fill(left.coefficients, 0, 64, 0);
        Arrays.fill(right.coefficients, 0, 64, 0);
      }
    }
    return true;
  }

  private boolean padding() {
    boolean sound = right.next();
    for (int i = 0; i < right.scan.components() && sound; i++) {
      for (int block = right.scan.columns[i] * right.scan.rows[i]; block > 0 && sound; block--) {
        sound = right.block(i) != ScanBits.BAD;
        Arrays.fill(right.coefficients, 0, 64, 0);
      }
    }
    return sound;
  }
}
