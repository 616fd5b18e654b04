package io.headrace.lab.experiment;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
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
  private static final String TOP1 = "top-1 accuracy, %";
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

  private String label() {
    return legs.stream()
        .map(leg -> leg.toString().replaceFirst("^\\d+@", ""))
        .collect(Collectors.joining(", then "));
  }

  /// {@return the accuracies of some trainings, as bars and with their spreads in a table}
  static Report.Section bars(String title, String text, Data data, List<Course> courses) {
    List<Point> points = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    for (Course course : courses) {
      Score top = data.accuracy(course);
      points.add(new Point(course.model() + ", " + course.set(), course.label(), 0, top.mean()));
      rows.add(
          List.of(
              course.name(),
              top.mean(),
              top.spread(),
              data.score(course, Curve::peak).mean(),
              data.score(course, Curve::bytesPerImage).mean(),
              data.score(course, Curve::rate).mean()));
    }
    return Report.bars(title, text, "trained on; " + TOP1, points)
        .with(
            "training; accuracy at the end|%; standard deviation over seeds|points; peak|%;"
                + " read|bytes an image; trained|images/s",
            rows);
  }

  /// {@return accuracies epoch by epoch, means over seeds}
  static Report.Section curves(String title, String text, Data data, List<Course> courses) {
    List<Point> points = new ArrayList<>();
    for (Course course : courses) {
      List<Curve> curves = data.of(course);
      for (int epoch = 0; epoch < curves.getFirst().epochs().size(); epoch++) {
        int at = epoch;
        double top =
            100 * Statistics.mean(curves.stream().map(c -> c.epochs().get(at).top1()).toList());
        points.add(
            new Point(course.model() + ", " + course.label(), course.set(), epoch + 1.0, top));
      }
    }
    return Report.lines(title, text, "epoch; " + TOP1, points);
  }

  /// {@return accuracies by the time that was spent on training, of the first seed}
  static Report.Section times(String title, String text, Data data, List<Course> courses) {
    List<Point> points = new ArrayList<>();
    for (Course course : courses) {
      double spent = 0;
      for (Curve.Epoch epoch : data.of(course).getFirst().epochs()) {
        spent += epoch.seconds();
        points.add(new Point(course.label(), course.set(), spent, 100 * epoch.top1()));
      }
    }
    return Report.lines(title, text, "training, seconds; " + TOP1, points);
  }
}
