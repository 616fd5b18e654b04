package io.headrace.codec.learned.layer;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.MemoryBudget;
import io.headrace.natives.WarmKernel;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;

/// What a worker needs while networks run: feature maps, which are lent and taken back, so that
/// pictures of one size make no garbage. Counted against a budget.
public final class Scratch implements AutoCloseable {
  private static final WarmKernel WARM =
      new WarmKernel("product", 20, () -> form(new PlainProduct()), () -> form(vector()));

  private final MemoryBudget budget;
  private final List<FeatureMap> free = new ArrayList<>();
  private long taken;

  /// The sums of a product, and where in a channel each of its columns comes from.
  final float[] sums = new float[Product.ROWS * Product.COLUMNS];

  final int[] sources = new int[Product.COLUMNS];
  private float[] columns = {};
  private Product product = fastest();

  /// @param budget for the bytes of all maps
  public Scratch(MemoryBudget budget) {
    this.budget = budget;
  }

  /// {@return the product with vectors once it is warm; at first, the plain one}
  private static Product fastest() {
    if (!WarmKernel.VECTORS) {
      return new PlainProduct();
    }
    WARM.start();
    return WARM.ready() ? vector() : new PlainProduct();
  }

  /// {@return the product that needs the module, whose class must not be linked without it}
  static Product vector() {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.codec.learned.layer.VectorProduct").getDeclaredConstructor();
      return (Product) make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static WarmKernel.Form form(Product product) {
    int terms = 512;
    var weights = new float[Product.ROWS * terms];
    var columns = new float[Product.COLUMNS * terms];
    var sums = new float[Product.ROWS * Product.COLUMNS];
    return () -> product.add(weights, 0, columns, 0, terms, sums);
  }

  /// {@return a map whose numbers are anything}
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the budget does not allow it
  public FeatureMap take(int channels, int height, int width) throws DecodeException {
    long size = (long) channels * height * width;
    int best = -1;
    for (int i = 0; i < free.size(); i++) {
      int length = free.get(i).data.length;
      if (length >= size && (best < 0 || length < free.get(best).data.length)) {
        best = i;
      }
    }
    FeatureMap map = best < 0 ? new FeatureMap(floats(size)) : free.remove(best);
    map.channels = channels;
    map.height = height;
    map.width = width;
    return map;
  }

  /// {@return a map of the size of another}
  public FeatureMap like(FeatureMap other) throws DecodeException {
    return take(other.channels, other.height, other.width);
  }

  /// Takes a map back.
  public void give(FeatureMap map) {
    free.add(map);
  }

  /// {@return room for the columns of a product}
  float[] columns(int terms) throws DecodeException {
    if (columns.length < terms * Product.COLUMNS) {
      drop(columns);
      columns = new float[0];
      columns = floats((long) terms * Product.COLUMNS);
    }
    return columns;
  }

  /// {@return what multiplies}
  Product product() {
    return product;
  }

  /// Takes the form of the product that is the fastest by now.
  public void renew() {
    product = fastest();
  }

  private float[] floats(long count) throws DecodeException {
    long bytes = Float.BYTES * count;
    if (count > Integer.MAX_VALUE - 8 || !reserve(bytes)) {
      throw new DecodeException(
          Fault.LIMIT,
          "learned: a feature map takes %d bytes, but %d of %d are taken"
              .formatted(bytes, budget.reserved(), budget.limit()));
    }
    taken += bytes;
    return new float[(int) count];
  }

  /// {@return whether there is room; where there is not, the maps of smaller pictures go first}
  private boolean reserve(long bytes) {
    if (budget.tryReserve(bytes)) {
      return true;
    }
    for (FeatureMap map : free) {
      drop(map.data);
    }
    free.clear();
    return budget.tryReserve(bytes);
  }

  private void drop(float[] floats) {
    long bytes = (long) Float.BYTES * floats.length;
    budget.release(bytes);
    taken -= bytes;
  }

  /// Lets go of all maps, the lent ones too. It may be used again.
  @Override
  public void close() {
    budget.release(taken);
    taken = 0;
    free.clear();
    columns = new float[0];
  }
}
