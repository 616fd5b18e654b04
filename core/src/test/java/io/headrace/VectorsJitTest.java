package io.headrace;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the launcher tells the JIT about code with vectors.
final class VectorsJitTest {
  private static final List<String> WITH_VECTORS = classesWithVectors();

  private static List<String> classesWithVectors() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.headrace")
            .stream()
            .filter(
                found ->
                    found.getDirectDependenciesFromSelf().stream()
                        .anyMatch(
                            use ->
                                use.getTargetClass()
                                    .getPackageName()
                                    .equals("jdk.incubator.vector")))
            .map(JavaClass::getName)
            .toList();
  }

  /// Law: no class with vectors is left out, for it would wait behind those that are named.
  @ParameterizedTest
  @ValueSource(strings = {"CompileThresholdScaling", "BackgroundCompilation"})
  void everyClassWithVectorsIsNamed(String option) throws IOException {
    Path file = Path.of(System.getProperty("headrace.root", ".."), "scripts", "vectors.jit");
    List<String> patterns =
        Files.readAllLines(file).stream()
            .filter(line -> line.startsWith(option + " "))
            .map(line -> line.split(" ", -1)[1].replace("::*", "").replace("*", ".*"))
            .toList();
    assertThat(WITH_VECTORS)
        .hasSizeGreaterThan(3)
        .allMatch(name -> patterns.stream().anyMatch(name::matches));
  }
}
