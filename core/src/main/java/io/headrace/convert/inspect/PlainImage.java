package io.headrace.convert.inspect;

import io.headrace.codec.ImageFormat;
import io.headrace.codec.jpeg.packed.PackedRebuilder;
import io.headrace.codec.jpeg.tiles.TileTable;
import io.headrace.codec.jpeg.tiles.TiledTranscoder;
import io.headrace.error.DecodeException;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;

/// Makes files that any viewer reads of images as they are stored. Confined to one thread.
public final class PlainImage implements AutoCloseable {
  private final PackedRebuilder rebuilder = new PackedRebuilder();
  private final TiledTranscoder untiler;
  private final TileTable tiles = new TileTable();
  private final Block restored;

  /// @param budget that the images made are bound by
  public PlainImage(MemoryBudget budget) {
    untiler = new TiledTranscoder(budget);
    restored = new Block(budget);
  }

  /// Makes the image of a sample a file of its own: a packed JPEG is a JPEG again, a padded grid of
  /// tiles is cut to the image, and all else is as stored.
  ///
  /// @return it, valid until the next call, and as long as the sample
  /// @throws DecodeException if its bytes make no sense
  public MemorySegment of(Sample sample) throws DecodeException {
    MemorySegment stored = sample.encoded();
    if (ImageFormat.PACKED.equals(ImageFormat.detect(stored))) {
      long bytes = rebuilder.rebuild(stored, restored);
      return restored.memory().asSlice(0, bytes);
    }
    if (sample.tiles().byteSize() == 0) {
      return stored;
    }
    tiles.read(sample.tiles());
    if (tiles.padding() == 0) {
      return stored;
    }
    long bytes = untiler.restore(stored, tiles, restored);
    return restored.memory().asSlice(0, bytes);
  }

  @Override
  public void close() {
    untiler.close();
    restored.close();
  }
}
