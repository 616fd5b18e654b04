package io.headrace.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Modules depend downwards: cli on lab and serve, these on core.
final class ModulesTest {
  private static JavaClasses classes = new ClassFileImporter().importClasses();

  @BeforeAll
  static void importClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.headrace");
  }

  @Test
  void coreKnowsNeitherLabNorCommandLine() {
    noClasses()
        .that()
        .resideInAPackage("io.headrace..")
        .and()
        .resideOutsideOfPackages("io.headrace.lab..", "io.headrace.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.headrace.lab..", "io.headrace.cli..", "picocli..")
        .check(classes);
  }

  @Test
  void labDoesNotKnowTheCommandLine() {
    noClasses()
        .that()
        .resideInAPackage("io.headrace.lab..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.headrace.cli..", "picocli..")
        .check(classes);
  }

  @Test
  void serveKnowsCoreAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.headrace.serve..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.headrace.lab..", "io.headrace.interop..", "io.headrace.cli..", "picocli..")
        .check(classes);
  }

  @Test
  void onlyTheCommandLineKnowsServe() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.headrace.serve..", "io.headrace.flight..", "io.headrace.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.headrace.serve..")
        .check(classes);
  }

  /// Arrow, gRPC and Netty are on the class path only where a server is asked for.
  @Test
  void onlyFlightKnowsArrowAndNobodyKnowsFlight() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.headrace.flight..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.headrace.flight..", "org.apache.arrow.flight..", "io.grpc..", "io.netty..")
        .check(classes);
  }

  @Test
  void onlyTheCommandLineKnowsTrain() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.headrace.train..", "io.headrace.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.headrace.train..", "ai.djl..")
        .check(classes);
  }

  /// Commands are made by reflection, also where the module train is not there.
  @Test
  void onlyItsRunsKnowTrainInTheCommandLine() {
    noClasses()
        .that()
        .resideInAPackage("io.headrace.cli..")
        .and()
        .haveNameNotMatching("io\\.headrace\\.cli\\.(Codecs)?TrainRun[^.]*")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.headrace.train..")
        .check(classes);
  }

  /// What a module provides is the same on the class path, where only `META-INF/services` counts.
  @ParameterizedTest
  @ValueSource(strings = {"core", "interop"})
  void servicesAreFoundOnTheClassPathToo(String module) throws IOException {
    Path main = Path.of("..", module, "src", "main");
    Matcher provides =
        Pattern.compile("provides (\\S+) with([^;]+);")
            .matcher(Files.readString(main.resolve("java/module-info.java")));
    Map<String, List<String>> declared = new TreeMap<>();
    while (provides.find()) {
      List<String> names = Arrays.stream(provides.group(2).split(",")).map(String::strip).toList();
      declared.put(provides.group(1), names);
    }
    Map<String, List<String>> listed = new TreeMap<>();
    try (var files = Files.list(main.resolve("resources/META-INF/services"))) {
      for (Path file : files.toList()) {
        listed.put(file.getFileName().toString(), Files.readAllLines(file));
      }
    }
    assertThat(listed).isNotEmpty().isEqualTo(declared);
  }

  /// Tune sits on top; the other rooms of lab do not import each other.
  @Test
  void onlyTuneImportsOtherRoomsOfLab() {
    slices()
        .matching("io.headrace.lab.(inspect|machine|model|report)..")
        .should()
        .notDependOnEachOther()
        .check(classes);
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.headrace.lab.inspect..",
            "io.headrace.lab.machine..",
            "io.headrace.lab.model..",
            "io.headrace.lab.report..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.headrace.lab.tune..")
        .check(classes);
  }
}
