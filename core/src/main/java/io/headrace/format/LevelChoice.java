package io.headrace.format;

/// Says which of an image's levels are to be read: smaller copies that lie beside it.
@FunctionalInterface
public interface LevelChoice {
  /// What [#choose] returns for all levels.
  int EVERY = -1;

  /// Leaves the choice to whoever has the sample then: [Sample#takeLevel].
  LevelChoice ALL = (id, height, width, levels) -> EVERY;

  /// Chooses for one sample. For a packed JPEG, each of whose bands adds to those before, it is
  /// asked as if there were four levels.
  ///
  /// @param id of the sample, see [Sample#id]
  /// @param height rows of the image itself, in pixels, as the container says
  /// @param width columns of the image itself, in pixels, as the container says
  /// @param levels how many images there are: number i, from 0, has 1/2ⁿ of the rows and columns,
  ///     rounded up, where n is `levels - 1 - i`
  /// @return the number of the one to read, the last being the image itself, or [#EVERY]
  int choose(long id, int height, int width, int levels);

  /// {@return whether the sample's fields are wanted too, which lie with the smallest level}
  default boolean fields() {
    return false;
  }

  /// {@return the same choice, with fields}
  default LevelChoice withFields() {
    LevelChoice levels = this;
    return new LevelChoice() {
      @Override
      public int choose(long id, int height, int width, int count) {
        return levels.choose(id, height, width, count);
      }

      @Override
      public boolean fields() {
        return true;
      }
    };
  }
}
