package io.headrace;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A room imports only rooms on lower floors.
final class FloorsTest {
  /// From the ground up; rooms on one floor do not see each other.
  private static final List<List<String>> FLOORS =
      List.of(
          List.of("error", "random"),
          List.of("memory", "meter"),
          List.of("natives", "spec", "weights"),
          List.of("codec", "sound", "store"),
          List.of("format", "tensor"),
          List.of("order", "pipeline"),
          List.of("load"),
          List.of("convert"));

  private static JavaClasses classes = new ClassFileImporter().importClasses();

  @BeforeAll
  static void importClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("testkit"))
            .importPackages("io.headrace");
  }

  @Test
  void aRoomImportsOnlyRoomsBelow() {
    LayeredArchitecture floors = layeredArchitecture().consideringOnlyDependenciesInLayers();
    for (List<String> floor : FLOORS) {
      for (String room : floor) {
        floors = floors.layer(room).definedBy("io.headrace." + room + "..");
      }
    }
    for (int i = 0; i < FLOORS.size(); i++) {
      List<String> above = new ArrayList<>();
      FLOORS.subList(i + 1, FLOORS.size()).forEach(above::addAll);
      for (String room : FLOORS.get(i)) {
        floors =
            above.isEmpty()
                ? floors.whereLayer(room).mayNotBeAccessedByAnyLayer()
                : floors.whereLayer(room).mayOnlyBeAccessedByLayers(above.toArray(String[]::new));
      }
    }
    floors.check(classes);
  }

  @Test
  void everyRoomHasAFloor() {
    Set<String> rooms = new TreeSet<>();
    classes.forEach(
        c -> {
          String rest = c.getPackageName().substring("io.headrace.".length());
          rooms.add(rest.contains(".") ? rest.substring(0, rest.indexOf('.')) : rest);
        });
    assertThat(FLOORS.stream().flatMap(List::stream)).containsAll(rooms);
  }

  @Test
  void roomsHaveNoCycles() {
    SlicesRuleDefinition.slices()
        .matching("io.headrace.(**)")
        .should()
        .beFreeOfCycles()
        .check(classes);
  }
}
