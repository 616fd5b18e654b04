package io.headrace.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.natives.NativeLibrary.Packages;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;

final class NativeLibraryTest {
  private static final NativeLibrary MISSING =
      new NativeLibrary("nosuchthing", 7, "tests", "go", new Packages("deb", "fed", "alp", "brew"));

  @Test
  void missingLibraryFailsOnlyWhenCalledAndNamesTheRemedy() {
    MethodHandle call = MISSING.link("int go(void*, int)");
    assertThat(call.type().toString()).isEqualTo("(MemorySegment,int)int");
    assertThatThrownBy(() -> call.invokeWithArguments(MemorySegment.NULL, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("libnosuchthing, needed for tests, was not found")
        .hasMessageContaining("libnosuchthing.so.7")
        .hasMessageContaining("apt install deb")
        .hasMessageContaining("dnf install fed")
        .hasMessageContaining("apk add alp")
        .hasMessageContaining("brew install brew")
        .hasMessageContaining("-Dheadrace.nosuchthing=PATH");
    assertThatThrownBy(MISSING::require).isInstanceOf(ConfigException.class);
    NativeStatus status = MISSING.status();
    assertThat(status.found()).isFalse();
    assertThat(status.version()).isNull();
    assertThat(status.path()).isNull();
  }

  @Test
  void missingFunctionNamesItself() {
    MethodHandle call = NativeLibrary.Z.link("void no_such_function()");
    assertThatThrownBy(call::invoke)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no function no_such_function")
        .hasMessageContaining("zlib1g");
  }

  @Test
  void librariesOfThisMachineAreDescribed() {
    assertThat(NativeLibrary.all())
        .allSatisfy(
            library -> {
              NativeStatus status = library.status();
              assertThat(status.found()).as(status.remedy()).isTrue();
              assertThat(status.version()).matches("\\d.*");
              assertThat(String.valueOf(status.path())).contains(status.name());
            });
  }
}
