package io.headrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.pipeline.step.StepKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The page on steps says of each what its kind says.
final class StepsPageTest {
  @Test
  void everyStepIsOnThePage() throws IOException {
    Path page = Path.of("docs/steps.md");
    String text = Files.readString(Files.exists(page) ? page : Path.of("../docs/steps.md"));
    for (StepKind kind : Steps.KINDS) {
      String draws = kind.draws().isEmpty() ? "–" : kind.draws();
      assertThat(text)
          .as(kind.name())
          .contains("| `%s` | %s | %s |".formatted(kind.form(), kind.help(), draws));
    }
  }
}
