package io.headrace.lab.experiment;

import io.headrace.lab.trial.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A training that experiments ask for, from several seeds. Those that share one train it once.
///
/// @param model as `headrace train --model` names it
/// @param set [#PHOTOS], [#SHUFFLED] or [#SOUNDS]
/// @param legs one after the other, under one schedule
/// @param loading settings of the loader; the usual ones where nothing is said
record Course(String model, String set, List<Leg> legs, Map<Key, String> loading) {
  static final String PHOTOS = "photos";

  /// The same photos, stored in a random order: for what reads them as they are stored, which would
  /// else find one class after the other.
  static final String SHUFFLED = "shuffled photos";

  /// Spectrograms of the recordings.
  static final String SOUNDS = "sounds";

  /// How photos become progressive records of the paper's groups.
  static final String GROUPS = "race:groups=1/2/5/10";

  Course {
    legs = List.copyOf(legs);
    loading = new TreeMap<>(loading);
  }

  /// Epochs on a representation of the set.
  ///
  /// @param epochs how many
  /// @param share of each class, as `convert --subset` spells it
  /// @param format to store pictures in
  /// @param encoding of pictures
  /// @param fidelity that they are read at
  record Leg(int epochs, String share, String format, String encoding, String fidelity) {
    static Leg of(int epochs, String encoding) {
      return new Leg(epochs, "100%", "race", encoding, "full");
    }

    /// {@return the same of a share of each class}
    Leg of(String part) {
      return new Leg(epochs, part, format, encoding, fidelity);
    }

    /// {@return epochs on progressive records at a fidelity}
    static Leg at(int epochs, String fidelity) {
      return new Leg(epochs, "100%", GROUPS, "progressive", fidelity);
    }

    @Override
    public String toString() {
      return epochs
          + "@"
          + encoding
          + (share.equals("100%") ? "" : ":" + share)
          + (fidelity.equals("full") ? "" : ":fidelity=" + fidelity);
    }
  }

  /// {@return a training on one representation}
  static Course of(String model, String set, Leg leg) {
    return new Course(model, set, List.of(leg), Map.of());
  }

  /// {@return the same with a setting of the loader}
  Course with(Key key, String value) {
    Map<Key, String> all = new TreeMap<>(loading);
    all.put(key, value);
    return new Course(model, set, legs, all);
  }

  int epochs() {
    return legs.stream().mapToInt(Leg::epochs).sum();
  }

  /// {@return its name, by which it is kept}
  String name() {
    List<String> words = new ArrayList<>(List.of(model, set));
    words.add(legs.stream().map(Leg::toString).collect(Collectors.joining(",")));
    loading.forEach((key, value) -> words.add(key.word() + "=" + value));
    return String.join(" ", words);
  }
}
