package io.headrace.interop;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

/// The module imports core's rooms for data only, and its formats do not know each other.
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.headrace.interop");

  @Test
  void onlyFormatsStoresAndCodecsAreImported() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.headrace.order..",
            "io.headrace.pipeline..",
            "io.headrace.load..",
            "io.headrace.convert..",
            "io.headrace.lab..",
            "io.headrace.cli..")
        .check(CLASSES);
  }

  /// What several formats use, which knows none of them.
  private static final String[] SHARED = {"io.headrace.interop.spool", "io.headrace.interop.table"};

  @Test
  void formatsDoNotKnowEachOther() {
    SlicesRuleDefinition.slices()
        .matching("io.headrace.interop.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(alwaysTrue(), resideInAnyPackage(SHARED))
        .check(CLASSES);
  }
}
