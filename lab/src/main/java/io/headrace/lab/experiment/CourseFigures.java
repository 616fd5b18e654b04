package io.headrace.lab.experiment;

import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// What came of trainings, as reports show it.
final class CourseFigures {
  private static final String TOP1 = "top-1 accuracy, %";

  private CourseFigures() {}

  private static String label(Course course) {
    return course.legs().stream()
        .map(leg -> leg.toString().replaceFirst("^\\d+@", ""))
        .collect(Collectors.joining(", then "));
  }

  /// {@return the accuracies of some trainings, as bars and with their spreads in a table}
  static Report.Section bars(String title, String text, Data data, List<Course> courses) {
    List<Point> points = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    for (Course course : courses) {
      Score top = data.accuracy(course);
      points.add(new Point(course.model() + ", " + course.set(), label(course), 0, top.mean()));
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
            new Point(course.model() + ", " + label(course), course.set(), epoch + 1.0, top));
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
        points.add(new Point(label(course), course.set(), spent, 100 * epoch.top1()));
      }
    }
    return Report.lines(title, text, "training, seconds; " + TOP1, points);
  }
}
