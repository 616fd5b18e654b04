package io.headrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoctorTest {
  @TempDir private Path dir = Path.of(".");

  @Test
  void libtorchIsFoundWhereTheVariableSays() throws IOException {
    assertThat(Doctor.torch(dir.toString(), dir, true).sound()).isFalse();
    assertThat(Doctor.torch(dir.toString(), dir, true).remedy()).contains("PyTorch 2.7.1");
    Files.createFile(dir.resolve("libtorch.so"));
    assertThat(Doctor.torch(dir.toString(), dir, true).found()).contains(dir.toString());
  }

  @Test
  void libtorchIsFetchedWhereTheSourcesAre() throws IOException {
    assertThat(Doctor.torch(null, dir, false).found()).contains("part of the source tree");
    Files.createDirectories(dir.resolve("train/target/lib"));
    Files.createFile(dir.resolve("train/pom.xml"));
    assertThat(Doctor.torch("", dir, true).found())
        .contains("when it first runs", "for CUDA set PYTORCH_LIBRARY_PATH");
    Files.createFile(dir.resolve("train/target/lib/pytorch-native-cpu.jar"));
    assertThat(Doctor.torch(null, dir, false).found()).startsWith("fetched");
  }
}
