package io.headrace.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/// One HTML file that shows a [Report], with plots, sortable tables and dark colours at night.
///
/// The file holds all it needs, Vega and Vega-Lite among it, and fetches nothing when opened. Its
/// looks are in the resources `report.html`, `report.css` and `report.js`.
public final class HtmlReport {
  private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z-]+)}}");

  private HtmlReport() {}

  /// Writes the report under a temporary name beside `file`, then renames it. A reader sees the old
  /// file, or none, until the new one is whole.
  ///
  /// @param file a file in an existing directory; replaced if it is there
  /// @throws IOException if it cannot be written; nothing is then left behind
  public static void write(Report report, Path file) throws IOException {
    Path target = file.toAbsolutePath();
    Path directory = target.getParent();
    if (directory == null || Files.isDirectory(target)) {
      throw new FileSystemException(target.toString(), null, "a report is a file, not a directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new NoSuchFileException(target.toString(), null, "no directory to write the report in");
    }
    byte[] page = page(report).getBytes(StandardCharsets.UTF_8);
    Path draft = directory.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      writeToDisk(page, draft);
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private static void writeToDisk(byte[] page, Path draft) throws IOException {
    try (var channel =
        FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      var left = ByteBuffer.wrap(page);
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    }
  }

  private static String page(Report report) throws IOException {
    var page = new StringBuilder();
    String template = resource("report.html");
    var slot = SLOT.matcher(template);
    int end = 0;
    while (slot.find()) { // one pass over the template: values that were filled in are not searched
      page.append(template, end, slot.start()).append(content(slot.group(1), report));
      end = slot.end();
    }
    return page.append(template, end, template.length()).toString();
  }

  private static String content(String slot, Report report) throws IOException {
    return switch (slot) {
      case "data" ->
          // < occurs in strings only, where the escape says the same
          JsonMapper.shared().writeValueAsString(report).replace("<", "\\u003c");
      case "style" -> resource("report.css");
      case "licences" -> resource("vega.licences.txt");
      case "vega" -> resource("vega.min.js");
      case "vega-lite" -> resource("vega-lite.min.js");
      case "script" -> resource("report.js");
      default -> throw new AssertionError("report.html asks for " + slot);
    };
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new AssertionError("resource missing from the jar: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
