package io.headrace.natives;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.natives.NativeLibrary.Packages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NativeFolderTest {
  private static final String KEY = "headrace.natives";

  @TempDir private Path folder;

  @BeforeEach
  void name() {
    System.setProperty(KEY, folder.toString());
  }

  @AfterEach
  void forget() {
    System.clearProperty(KEY);
  }

  private static NativeLibrary library() {
    return new NativeLibrary(
        "headracetest", List.of(8, 7), "tests", "go", new Packages("deb", "fed", "alp", "brew"));
  }

  /// Puts a C library of the system into the folder under another name.
  private Path put(String name) throws IOException {
    return Files.copy(
        Objects.requireNonNull(NativeLibrary.Z.status().path()), folder.resolve(name));
  }

  private void needs(String... lines) throws IOException {
    Files.write(folder.resolve("needs.tsv"), List.of(lines));
  }

  @Test
  void libraryOfTheFolderIsFoundWithWhatItNeeds() throws IOException {
    put("libneeded.so.1");
    put("libheadracetest.so.7");
    needs("libother.so.1\tlibgone.so.1", "libheadracetest.so.7\tlibneeded.so.1");
    assertThat(library().found()).isTrue();
    assertThat(Files.readString(Path.of("/proc/self/maps")))
        .contains(folder.resolve("libheadracetest.so.7").toRealPath().toString())
        .contains(folder.resolve("libneeded.so.1").toRealPath().toString());
  }

  @Test
  void oneWithoutWhatItNeedsIsNotFound() throws IOException {
    put("libheadracetest.so.7");
    needs("libheadracetest.so.7\tlibgone.so.1");
    assertThat(library().found()).isFalse();
  }

  @Test
  void bestVersionComesFirstAndTheFolderBeforeTheSystem() throws IOException {
    put("libheadracetest.so.7");
    put("libheadracetest.so.8");
    assertThat(NativeFolder.files("headracetest", List.of(8, 7)))
        .containsExactly(
            folder.resolve("libheadracetest.so.8").toString(),
            folder.resolve("libheadracetest.so.7").toString());
  }

  @Test
  void withoutAFolderTheSystemHasThem() {
    System.clearProperty(KEY);
    assertThat(NativeFolder.files("z", List.of(1))).isEmpty();
  }
}
