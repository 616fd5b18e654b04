package io.headrace.lab.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A browser without a window.
final class Browsers {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "chrome-headless-shell");

  private Browsers() {}

  /// {@return the path of a Chromium; empty if there is none}
  static String found() {
    for (String name : NAMES) {
      for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
        Path file = Path.of(folder, name);
        if (Files.isExecutable(file)) {
          return file.toString();
        }
      }
    }
    return "";
  }

  /// {@return the page after its scripts ran}
  static String domOf(String browser, Path page) throws IOException, InterruptedException {
    Path profile = Files.createDirectories(page.resolveSibling("profile"));
    Path out = page.resolveSibling("dom.html");
    Process process =
        new ProcessBuilder(
                browser,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + profile,
                "--virtual-time-budget=5000",
                "--dump-dom",
                page.toUri().toString())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(browser + " did not end");
    }
    return Files.readString(out, UTF_8);
  }
}
