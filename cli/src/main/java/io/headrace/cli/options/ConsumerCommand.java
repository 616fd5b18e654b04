package io.headrace.cli.options;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// A trainer given as the command that runs it, `python train.py ARGUMENTS`: its own rate is
/// measured by `python/headrace/consumer.py`.
public final class ConsumerCommand {
  private ConsumerCommand() {}

  /// {@return a rate for [io.headrace.load.ConsumerRate#parse]: the text, unless it is a command}
  public static String rate(String text) throws IOException, InterruptedException {
    List<String> words = List.of(text.strip().split("\\s+"));
    if (words.size() < 2) {
      return text;
    }
    if (!words.getFirst().matches("(.*/)?python[0-9.]*") || !words.get(1).endsWith(".py")) {
      throw new ConfigException(
          "consumer '%s': expected a rate, a preset, or a command such as 'python train.py'"
              .formatted(text));
    }
    List<String> command = new ArrayList<>(List.of(words.getFirst(), "-m", "headrace.consumer"));
    command.addAll(words.subList(1, words.size()));
    Process process = PythonScript.start(command, "it is the first word of --consumer");
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    int code = process.waitFor();
    String last = said.substring(said.lastIndexOf('\n') + 1);
    try {
      double rate =
          JsonMapper.shared().readTree(last).path("samples_per_second").asDouble(Double.NaN);
      if (code == 0 && rate > 0) {
        return String.format(Locale.ROOT, "%.1f/s", rate);
      }
    } catch (JacksonException e) {
      // it ended before it was measured, and has said why
    }
    throw new ConfigException(
        "'%s' was not measured: it ended with code %d; give its rate instead"
            .formatted(text, code));
  }
}
