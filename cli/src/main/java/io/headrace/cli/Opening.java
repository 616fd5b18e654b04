package io.headrace.cli;

import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How a command's dataset is opened.
final class Opening {
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
      names = "--folders-are-classes",
      description = "Folders called train, val or images are classes all the same.")
  private boolean foldersAreClasses;

  Opening() {}

  /// {@return what was said}
  OpenOptions options() throws IOException {
    return over(OpenOptions.DEFAULT);
  }

  /// {@return what was said, and for the rest what a plan says}
  OpenOptions over(OpenOptions planned) throws IOException {
    OpenOptions all = planned;
    all = split == null ? all : all.withSplit(split);
    all = classes == null ? all : all.withClasses(OpenOptions.classesOf(classes));
    all = features == null ? all : all.withFeatures(features);
    return foldersAreClasses ? all.withFoldersAsClasses(true) : all;
  }

  /// {@return what a plan says of this dataset: nothing if it has a manifest, for then it is what
  /// was made of the one that the plan is about}
  static OpenOptions planned(Path dataset, OpenOptions planned) {
    return Files.exists(dataset.resolve(Manifest.FILE)) ? OpenOptions.DEFAULT : planned;
  }
}
