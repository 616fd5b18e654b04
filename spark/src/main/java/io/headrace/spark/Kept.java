package io.headrace.spark;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/// Things that tasks of one process share, such as open datasets: made by the first task that needs
/// one, kept for those that follow, and closed when others have taken their place. Thread-safe.
///
/// @param <T> type of the things
final class Kept<T extends AutoCloseable> {
  /// Things that are kept though nobody uses them.
  private static final int IDLE = 2;

  private final Map<String, Lent> all = new LinkedHashMap<>();

  /// Makes a thing.
  ///
  /// @param <T> its type
  @FunctionalInterface
  interface Maker<T> {
    T make() throws IOException;
  }

  /// A thing in use, to be closed by whoever asked for it.
  final class Lent implements AutoCloseable {
    private final T thing;
    private int users;

    private Lent(T thing) {
      this.thing = thing;
    }

    T get() {
      return thing;
    }

    @Override
    public void close() {
      giveBack(this);
    }
  }

  /// {@return the thing of a name, made if it is not there}
  synchronized Lent lend(String name, Maker<T> maker) throws IOException {
    Lent lent = all.remove(name);
    if (lent == null) {
      lent = new Lent(maker.make());
    }
    all.put(name, lent); // as the youngest
    lent.users++;
    return lent;
  }

  private synchronized void giveBack(Lent lent) {
    lent.users--;
    long idle = all.values().stream().filter(each -> each.users == 0).count();
    Iterator<Lent> oldest = all.values().iterator();
    while (idle > IDLE && oldest.hasNext()) {
      Lent next = oldest.next();
      if (next.users == 0) {
        oldest.remove();
        idle--;
        try {
          next.thing.close();
        } catch (Exception e) {
          System.getLogger(Kept.class.getName())
              .log(System.Logger.Level.WARNING, "cannot be closed: " + e.getMessage(), e);
        }
      }
    }
  }
}
