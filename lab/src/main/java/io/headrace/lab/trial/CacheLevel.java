package io.headrace.lab.trial;

import io.headrace.spec.Spec;

/// Where the data of a run may come from: the three kinds of runs of PRESTO.
public enum CacheLevel {
  /// The files' pages are dropped from the page cache before each run, of which the first epoch
  /// counts ("no-cache").
  COLD,
  /// Files stay in the page cache as far as it holds them, and the first epoch of a run does not
  /// count ("sys-cache").
  PAGE_CACHE,
  /// The loader keeps samples in memory of its own: the first epoch of a run fills it, and does not
  /// count ("app-cache").
  APPLICATION_CACHE;

  /// {@return the name users type, such as `page-cache`}
  public String word() {
    return Spec.word(this);
  }

  /// {@return the one of that name}
  static CacheLevel of(String word) {
    return Spec.choice("level", values(), word);
  }
}
