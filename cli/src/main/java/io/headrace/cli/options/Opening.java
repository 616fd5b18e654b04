package io.headrace.cli.options;

import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How a command's dataset is opened.
public final class Opening {
  @Option(
      names = "--split",
      paramLabel = "NAME",
      description =
          "The split to take where a folder holds several, such as train; or a pattern of names,"
              + " such as 'train*'.")
  private @Nullable String split;

  @Option(
      names = "--classes",
      paramLabel = "FILE",
      description =
          "Number labels by this list of classes: a file with a name a line, or another dataset.")
  private @Nullable Path classes;

  @Option(
      names = "--features",
      paramLabel = "ROLES",
      description =
          "Which feature, column or extension is what: image=NAME,label=NAME,key=NAME; label= for"
              + " no label.")
  private @Nullable String features;

  @Option(
      names = "--pair",
      paramLabel = "RULES",
      description =
          "Files in another folder that belong to pictures of the same stem: images=masks makes"
              + " them field mask, images=depth:depth field depth; patterns with a star do too:"
              + " 'left/*_left.png=gt/*_ids.png'.")
  private @Nullable String pairs;

  @Option(
      names = "--folders-are-classes",
      description = "Folders called train, val or images are classes too.")
  private boolean foldersAreClasses;

  /// {@return what the options say}
  public OpenOptions options() throws IOException {
    return over(OpenOptions.DEFAULT);
  }

  /// {@return what the options say, and for the rest what a plan says}
  public OpenOptions over(OpenOptions planned) throws IOException {
    OpenOptions all = planned;
    all = split == null ? all : all.withSplit(split);
    all = classes == null ? all : all.withClasses(OpenOptions.classesOf(classes));
    all = features == null ? all : all.withFeatures(features);
    all = pairs == null ? all : all.withPairs(pairs);
    return foldersAreClasses ? all.withFoldersAsClasses(true) : all;
  }

  /// {@return a trial of a dataset that is opened so}
  public Trial trial(Trial of) {
    Trial trial = split == null ? of : of.with(Key.SPLIT, split);
    trial = classes == null ? trial : trial.with(Key.CLASSES, classes.toString());
    trial = features == null ? trial : trial.with(Key.FEATURES, features);
    return foldersAreClasses ? trial.with(Key.FOLDERS_ARE_CLASSES, "true") : trial;
  }

  /// {@return what a plan says about this dataset. Nothing if it has a manifest: then it was made
  ///     from the plan's dataset}
  public static OpenOptions planned(Path dataset, OpenOptions planned) {
    return Files.exists(dataset.resolve(Manifest.FILE)) ? OpenOptions.DEFAULT : planned;
  }
}
