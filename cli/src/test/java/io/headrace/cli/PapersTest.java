package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.lab.experiment.Claim;
import io.headrace.lab.experiment.Experiment;
import io.headrace.lab.experiment.Experiments;
import io.headrace.lab.experiment.PapersPage;
import io.headrace.testkit.Photos;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// docs/papers.md names tests and commands: each is there. Tests are looked for in the sources of
/// all modules, inherited ones too; `load` and `convert` are run, other commands parsed. What it
/// says beside verdicts is what the resource that `evidence` fills in says.
final class PapersTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("(\\w+Test)?(?:#(\\w+))?");
  private static final Pattern ANCHOR = Pattern.compile("\\((results\\.md)#([^)]+)\\)");
  private static final Pattern ID =
      Pattern.compile("–|[A-D](\\.b)?\\d+((–)([A-D])?\\d+)?(, [A-D](\\.b)?\\d+(–([A-D])?\\d+)?)*");
  private static final Pattern HYPOTHESIS = Pattern.compile("B15, H[1-5]");
  private static final Pattern METHOD =
      Pattern.compile(
          "@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\\bvoid\\b).)*?\\bvoid\\s+(\\w+)\\(",
          Pattern.DOTALL);

  private static final Map<String, String> SOURCES = new HashMap<>();
  private static final Map<String, Set<String>> METHODS = new HashMap<>();

  /// Commands in which nothing was wrong: many rows name the same.
  private static final Set<List<String>> SOUND = new HashSet<>();

  @TempDir static Path dir;
  private static Path root = Path.of(".");

  @BeforeAll
  static void read() throws IOException {
    root = Path.of(System.getProperty("headrace.root", ".."));
    try (Stream<Path> modules = Files.list(root)) {
      for (Path tests : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
              String name = file.getFileName().toString().replace(".java", "");
              SOURCES.merge(name, Files.readString(file), (a, b) -> a + b);
            }
          }
        }
      }
    }
    Photos.few(dir.resolve("photos"), 2, 2);
    Files.writeString(dir.resolve("FILE"), "[{\"epochs\":1,\"fidelity\":1}]");
  }

  /// {@return names of the tests of a class, those of what it extends or implements among them}
  private static Set<String> methods(String name) {
    Set<String> known = METHODS.get(name);
    if (known != null) {
      return known;
    }
    Set<String> methods = new HashSet<>();
    String source = SOURCES.getOrDefault(name, "");
    METHOD.matcher(source).results().forEach(m -> methods.add(m.group(1)));
    Matcher head =
        Pattern.compile("\\b(?:class|interface)\\s+" + name + "\\b([^{]*)\\{").matcher(source);
    if (head.find()) {
      for (String word : head.group(1).split("\\W+", -1)) {
        if (SOURCES.containsKey(word) && !word.equals(name)) {
          methods.addAll(methods(word));
        }
      }
    }
    METHODS.put(name, methods);
    return methods;
  }

  /// Goes through what one row is shown by.
  private static final class Row {
    final String row;
    final List<String> wrong;
    String test = "";
    List<String> command = List.of();

    Row(String row, List<String> wrong) {
      this.row = row;
      this.wrong = wrong;
    }

    void see(String item) throws IOException {
      Matcher named = TEST.matcher(item);
      if (named.matches() && !item.isEmpty()) {
        test = named.group(1) == null ? test : named.group(1);
        if (!SOURCES.containsKey(test)) {
          fail("no test class " + test);
        } else if (named.group(2) != null && !methods(test).contains(named.group(2))) {
          fail("no test " + test + "#" + named.group(2));
        }
      } else if (item.startsWith("headrace ")) {
        command = List.of(item.replace("\"", "").split(" ", -1));
        run(command.subList(1, command.size()));
      } else if (item.startsWith("--") && !command.isEmpty()) {
        run(Stream.concat(Stream.of(command.get(1)), Stream.of(item.split(" ", -1))).toList());
      } else if (!command.isEmpty()) { // another value of its last option
        run(
            Stream.concat(command.subList(1, command.size() - 1).stream(), Stream.of(item))
                .toList());
      } else if (item.startsWith("./test ")) {
        if (!Files.readString(root.resolve("test")).contains(item.substring(7) + ")")) {
          fail("./test knows no " + item.substring(7));
        }
      } else if (item.startsWith("io.headrace.bench.")) {
        Path main = root.resolve("bench/src/main/java").resolve(item.replace('.', '/') + ".java");
        if (!Files.exists(main)
            || !Files.readString(main).contains("public static void main(String[] args)")) {
          fail("no main class " + item);
        }
      } else {
        fail("'" + item + "' is neither a test nor a command");
      }
    }

    private void run(List<String> words) {
      if (SOUND.contains(words)) {
        return;
      }
      List<String> arguments =
          new ArrayList<>(
              words.stream()
                  .map(
                      word ->
                          word.replace("SIZE", "256MiB")
                              .replace("FILE", dir.resolve("FILE").toString())
                              .replace("DIR", dir.resolve("photos").toString()))
                  .toList());
      boolean really = words.getFirst().equals("load") || words.getFirst().equals("convert");
      if (really || words.getFirst().equals("tune") || words.getFirst().equals("extract")) {
        arguments.add(1, dir.resolve("photos").toString());
      }
      if (words.getFirst().equals("load")) {
        arguments.addAll(List.of("--batch", "2"));
      }
      if (words.getFirst().equals("convert")) {
        arguments.add(2, dir.resolve("out-" + arguments.hashCode()).toString());
      }
      var err = new StringWriter();
      CommandLine command =
          Main.commandLine()
              .setOut(new PrintWriter(new StringWriter()))
              .setErr(new PrintWriter(err));
      if (really) {
        if (command.execute(arguments.toArray(String[]::new)) == Exit.DONE) {
          SOUND.add(words);
        } else {
          fail(String.join(" ", words) + ": " + err.toString().lines().findFirst());
        }
        return;
      }
      try {
        command.parseArgs(arguments.toArray(String[]::new));
        SOUND.add(words);
      } catch (CommandLine.ParameterException e) {
        fail(String.join(" ", words) + ": " + e.getMessage());
      }
    }

    private void fail(String what) {
      wrong.add(what + ", in: " + row);
    }
  }

  /// {@return whether a row has such a verdict, as in `B26 holds`}
  private static boolean isThere(String verdict, String page) {
    String[] words = verdict.split(" ", 2);
    return words.length == 2
        && page.lines()
            .anyMatch(
                l -> l.startsWith("| " + words[0] + " | ") && l.contains("| " + words[1] + " |"));
  }

  private static List<String> faults(String page) throws IOException {
    List<String> wrong = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    String results = Files.readString(root.resolve("docs/results.md"));
    Set<String> anchors = new HashSet<>();
    results
        .lines()
        .filter(line -> line.startsWith("#"))
        .forEach(
            line ->
                anchors.add(
                    line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} -]", "")
                        .replace(' ', '-')));
    for (String line : page.lines().filter(l -> l.startsWith("| ")).toList()) {
      String[] cells = line.substring(2, line.length() - 2).split(" \\| ", -1);
      if (cells[0].equals("ID")) {
        continue;
      }
      if (HYPOTHESIS.matcher(cells[0]).matches()) {
        Stream.of(cells[cells.length - 1].split(", ", -1))
            .filter(verdict -> !isThere(verdict, page))
            .forEach(verdict -> wrong.add("no row says " + verdict + ", in: " + line));
        continue;
      }
      if (!ID.matcher(cells[0]).matches()) {
        wrong.add("'" + cells[0] + "' is no row's ID, in: " + line);
      }
      if (!seen.add(cells[0] + cells[1])) {
        wrong.add("twice: " + line);
      }
      if (cells.length == 2) {
        continue; // what is not there
      }
      String shown = cells[cells.length - 1];
      List<String> items = CODE.matcher(shown).results().map(m -> m.group(1)).toList();
      if (items.isEmpty()) {
        wrong.add("shown by nothing: " + line);
      }
      var row = new Row(cells[0], wrong);
      for (String item : items) {
        row.see(item);
      }
      for (MatchResult link : ANCHOR.matcher(shown).results().toList()) {
        if (!anchors.contains(link.group(2))) {
          wrong.add("no heading for " + link.group() + ", in: " + line);
        }
      }
    }
    assertThat(seen).as("rows").hasSizeGreaterThan(1);
    return wrong;
  }

  @Test
  void everyTestAndCommandIsThere() throws IOException {
    String page = Files.readString(root.resolve("docs/papers.md"));
    assertThat(page.lines().filter(line -> line.startsWith("| "))).hasSizeGreaterThan(60);
    assertThat(faults(page)).isEmpty();
  }

  /// Rows that a test shows are written in the resource alone.
  @Test
  void theRestOfThePageIsTheResource() throws IOException {
    String page = Files.readString(root.resolve("docs/papers.md"));
    String rows = PapersPage.rows();
    String before = rows.substring(0, rows.indexOf("{{measured}}"));
    String after = rows.substring(rows.indexOf("## What is not there"));
    assertThat(page)
        .as("write rows into papers.md of lab/src/main/resources, then run headrace evidence")
        .startsWith(before)
        .endsWith(after);
    for (Experiment experiment : Experiments.all()) {
      for (Claim claim : experiment.claims()) {
        assertThat(page).contains("| " + claim.id() + " | " + claim.says().replace("|", "\\|"));
      }
    }
  }

  /// The check itself: each of these rows has one fault.
  @Test
  void whatIsNotThereIsFound() throws IOException {
    String page =
        """
        | ID | what | shown by |
        |---|---|---|
        | A1 | sound | `PapersTest#whatIsNotThereIsFound`, `#everyTestAndCommandIsThere`; `headrace load --order full`, `buffer:8`; [results](results.md#caches) |
        | A2 | inherited | `PngCodecTest#whatIsEncodedDecodes` |
        | A3 | class | `NoSuchTest` |
        | A4 | method | `PapersTest#read` |
        | A5 | option | `headrace load --sideways` |
        | A6 | value | `headrace load --order sideways` |
        | A7 | second value | `headrace load --order full`, `sideways` |
        | A8 | option value | `headrace tune --samples many` |
        | A9 | words | `whatever` |
        | A10 | anchor | `PapersTest`, [results](results.md#nowhere) |
        | A11 | nothing | by nothing |
        | A1x | id | `PapersTest` |
        | A12 | main | `io.headrace.bench.Nothing` |
        | A15 | measured | 1 | 2 | holds | why | `headrace experiment --sideways` |
        | B15, H1 | judged by rows | confirmed | confirmed | A15 holds |
        | B15, H2 | judged by nothing | confirmed | open | A15 not measured |
        | A13 | script | `./test --nothing` |
        | A14 | twice | `PapersTest` |
        | A14 | twice | `PapersTest` |
        """;
    List<String> wrong = faults(page);
    List<String> expected =
        List.of(
            "A3",
            "A4",
            "A5",
            "A6",
            "A7",
            "A8",
            "A9",
            "A10",
            "A11",
            "A1x",
            "A12",
            "A15",
            "no row says A15 not measured",
            "A13",
            "twice");
    assertThat(SOURCES.get("PngCodecTest")).doesNotContain("whatIsEncodedDecodes");
    assertThat(wrong).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      assertThat(wrong.get(i)).contains(expected.get(i));
    }
  }

  @Test
  void nothingIsReadFromAnEmptyPage() {
    assertThatThrownBy(() -> faults("")).isInstanceOf(AssertionError.class);
  }
}
