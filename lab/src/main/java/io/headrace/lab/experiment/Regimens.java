package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;

import io.headrace.lab.experiment.Course.Leg;
import io.headrace.lab.report.Report;
import java.io.IOException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Paper B, Fig. 9: training that begins on a variant and ends on the original.
final class Regimens extends Experiment {
  Regimens() {
    super(
        "regimens",
        "Is it better to begin on a small variant and end on the original than to stay on one?");
  }

  /// {@return epochs on the original, of equal halves (SR) or of a ninth at the end (TLR)}
  private static int last(Setup setup, boolean halves) {
    int epochs = setup.study().epochs();
    return halves ? epochs / 2 : Math.max(1, Math.round(epochs / 9f));
  }

  private static Course regimen(Setup setup, int quality, boolean halves) {
    int last = last(setup, halves);
    return new Course(
        setup.study().model(),
        Course.PHOTOS,
        List.of(Leg.of(setup.study().epochs() - last, "jpeg:" + quality), Leg.of(last, "keep")),
        Map.of());
  }

  private static Course single(Setup setup, String encoding) {
    return Accuracy.course(setup, setup.study().model(), Course.PHOTOS, encoding);
  }

  private static List<Course> regimens(Setup setup) {
    return Setup.product(
        setup.study().qualities(),
        List.of(true, false),
        (quality, halves) -> regimen(setup, quality, halves));
  }

  private static List<Course> singles(Setup setup) {
    Stream<String> jpegs = setup.study().qualities().stream().map(quality -> "jpeg:" + quality);
    return Stream.concat(Stream.of("keep"), jpegs)
        .map(encoding -> single(setup, encoding))
        .toList();
  }

  private static List<Course> both(Setup setup) {
    return Stream.of(singles(setup), regimens(setup)).flatMap(List::stream).toList();
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    for (Course course : singles(setup)) {
      String encoding = course.legs().getFirst().encoding();
      facts.keep(
          "bytes " + encoding,
          () -> bench.classroom().stored(Course.PHOTOS, Leg.of(1, encoding)).bytesPerSample());
    }
    return new Data(setup, facts, bench.classroom().train(both(setup)));
  }

  @Override
  public List<Claim> claims() {
    return List.of(
        new Claim(
            "B44", "regimen = stages on their own variants, one schedule", "90 epochs", this::one),
        new Claim(
            "B45", "SR halves the epochs; TLR ends with 10 of 90", "45/45, 80/10", this::stages),
        new Claim("B46", "SR and TLR from QF 10, 25, 50, 75", "8 regimens", this::all),
        new Claim(
            "B47", "average size: each stage's by its epochs", "29.1 GiB of 145.7", this::size),
        new Claim("B48", "one well-chosen quality is as good", "declined", this::declined));
  }

  private Verdict one(Data data) {
    int epochs = data.setup().study().epochs();
    boolean whole =
        regimens(data.setup()).stream()
            .flatMap(course -> data.of(course).stream())
            .allMatch(curve -> curve.epochs().size() == epochs);
    return Verdict.of(whole, epochs + " epochs", "each regimen ran through, with every seed");
  }

  private Verdict stages(Data data) {
    Setup setup = data.setup();
    data.of(regimens(setup).getFirst());
    int epochs = setup.study().epochs();
    int half = last(setup, true);
    int ninth = last(setup, false);
    return Verdict.of(
        Math.abs(2 * half - epochs) <= 1 && ninth < half,
        format("%d/%d, %d/%d", epochs - half, half, epochs - ninth, ninth),
        "epochs on the variant and on the original");
  }

  private Verdict all(Data data) {
    regimens(data.setup()).forEach(data::of);
    List<Integer> qualities = data.setup().study().qualities();
    return Verdict.of(
        qualities.size() >= 2,
        2 * qualities.size() + " regimens",
        "QF " + qualities + " to the original, SR and TLR");
  }

  private Verdict size(Data data) {
    double worst = 0;
    double least = Double.POSITIVE_INFINITY;
    for (Course course : regimens(data.setup())) {
      double expected = 0;
      for (Leg leg : course.legs()) {
        expected += leg.epochs() * data.fact("bytes " + leg.encoding()) / course.epochs();
      }
      double read = data.score(course, Curve::bytesPerImage).mean();
      worst = Math.max(worst, Math.abs(read / expected - 1));
      least = Math.min(least, expected / data.fact("bytes keep"));
    }
    return Verdict.of(
        worst < 0.05,
        percent(least) + " of the original",
        format("smallest of all; bytes that were read differ from it by %.1f %%", 100 * worst));
  }

  private static Course best(Data data, List<Course> courses) {
    return Collections.max(
        courses, Comparator.comparingDouble(course -> data.accuracy(course).mean()));
  }

  private Verdict declined(Data data) {
    Course regimen = best(data, regimens(data.setup()));
    Course single = best(data, singles(data.setup()));
    Score with = data.accuracy(regimen);
    Score without = data.accuracy(single);
    return Verdict.of(
        without.above(with) >= 0 || !with.apart(without),
        with.against(without),
        format(
            "best regimen %s: %s; best single %s: %s",
            regimen.name(), with, single.name(), without));
  }

  @Override
  public List<Report.Section> show(Data data) {
    if (data.curves().isEmpty()) {
      return List.of();
    }
    List<Course> all = both(data.setup());
    return List.of(
        Course.bars("Fig. 9: regimens", Accuracy.note(data.setup()), data, all),
        Course.curves("Fig. 9: accuracy by epoch", "", data, all));
  }
}
