package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.Steps;
import io.headrace.pipeline.step.StepKind;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "steps",
    mixinStandardHelpOptions = true,
    description = "Lists the steps of pipelines, or says all about one.",
    footer = {
      "",
      "Example:  headrace steps",
      "          headrace steps color_jitter",
      "",
      "Pipelines are steps with commas between, for --pipeline and --steps."
    })
final class StepList implements Callable<Integer> {
  private static final int WIDTH = 80;

  @Parameters(paramLabel = "STEP", arity = "0..1", description = "The step's name.")
  private @Nullable String name;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (name == null) {
      all(out);
    } else {
      one(out, name);
    }
    out.flush();
    return Exit.DONE;
  }

  private static void all(PrintWriter out) {
    list(out, Steps.KINDS);
    out.println();
    out.println("On sounds:");
    list(out, Steps.ON_SOUND);
    out.println();
    out.println("train          " + Pipeline.train().spec());
    out.println("eval           " + Pipeline.eval().spec());
    out.println("presto-image   " + Pipeline.prestoImage().spec());
    for (String sound : List.of("speech", "whisper", "presto-audio")) {
      out.println("%-14s %s".formatted(sound, Pipeline.parse(sound).spec()));
    }
  }

  private static void list(PrintWriter out, List<StepKind> kinds) {
    for (StepKind kind : kinds) {
      wrap(out, kind.form(), "");
      wrap(out, kind.help(), "    ");
    }
  }

  private static void one(PrintWriter out, String name) {
    List<StepKind> kinds =
        Stream.concat(Steps.KINDS.stream(), Steps.ON_SOUND.stream())
            .filter(step -> step.name().equals(name))
            .toList();
    if (kinds.isEmpty()) {
      throw new ConfigException(unknown(name));
    }
    kinds.forEach(kind -> one(out, kind)); // random_crop is one on images and one on sounds
  }

  private static void one(PrintWriter out, StepKind kind) {
    wrap(out, kind.form(), "");
    wrap(out, kind.help(), "  ");
    wrap(out, "draws: " + (kind.draws().isEmpty() ? "nothing" : kind.draws()), "  ");
    if (!kind.source().isEmpty()) {
      wrap(out, "as:    " + kind.source(), "  ");
    }
    kind.examples().forEach(example -> wrap(out, "e.g.   " + example, "  "));
  }

  private static String unknown(String name) {
    return Stream.concat(Steps.KINDS.stream(), Steps.ON_SOUND.stream())
        .map(StepKind::name)
        .distinct()
        .collect(Collectors.joining(", ", "unknown step '" + name + "': expected ", ""));
  }

  /// Prints words in lines of 80 columns; those after the first are set in.
  private static void wrap(PrintWriter out, String text, String indent) {
    var line = new StringBuilder(indent);
    List<String> words = new ArrayList<>();
    for (String part : text.split(" ", -1)) {
      // long options break before their brackets
      words.addAll(part.length() > 40 ? List.of(part.split("(?<=\\])(?=\\[)", -1)) : List.of(part));
      words.add(" ");
    }
    for (String word : words) {
      if (line.length() + word.stripTrailing().length() > WIDTH - 1
          && line.length() > indent.length()) {
        out.println(line.toString().stripTrailing());
        line = new StringBuilder(indent).append("    ");
      }
      if (!(word.equals(" ") && line.toString().isBlank())) {
        line.append(word);
      }
    }
    out.println(line.toString().stripTrailing());
  }
}
