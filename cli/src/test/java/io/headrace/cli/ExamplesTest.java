package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.cli.watch.LoadMonitor;
import io.headrace.cli.watch.MetricsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/// What examples for operations say is there.
final class ExamplesTest {
  private static final Path EXAMPLES =
      Path.of(System.getProperty("headrace.root", ".."), "examples");

  private static Set<String> found(String pattern, String text) {
    return new TreeSet<>(
        Pattern.compile(pattern).matcher(text).results().map(MatchResult::group).toList());
  }

  @Test
  void theDashboardShowsEveryMetricAndNoOther() throws IOException {
    var now = new LoadMonitor.Now(0, 1, 1, 0, 1, 1, List.of(), 0, 1, 0, 0, 0, 0, 1, 1);
    Set<String> served = found("(?<=# TYPE )\\w+", MetricsServer.text(now));

    String dashboard = Files.readString(EXAMPLES.resolve("prometheus/dashboard.json"));

    assertThat(found("headrace_[a-z_]+", dashboard)).isEqualTo(served).hasSizeGreaterThan(12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"convert", "feed"})
  void optionsOnKubernetesAreThoseOfTheCommand(String name) throws IOException {
    List<String> lines =
        Files.readAllLines(EXAMPLES.resolve("kubernetes/" + name + ".yaml")).stream()
            .filter(line -> line.startsWith("            - "))
            .map(line -> line.substring(14))
            .toList();
    int start = lines.indexOf(name.equals("feed") ? "serve" : name);
    assertThat(start).isNotNegative();
    List<String> words =
        lines.subList(start, lines.size()).stream()
            .takeWhile(word -> !word.endsWith(":") && !word.startsWith("secretRef"))
            .toList();

    var command = new CommandLine(new Main());
    CommandLine.ParseResult parsed = command.parseArgs(words.toArray(String[]::new));

    assertThat(parsed.subcommand().unmatched()).isEmpty();
    assertThat(parsed.subcommand().matchedOptions()).hasSizeGreaterThan(1);
  }
}
