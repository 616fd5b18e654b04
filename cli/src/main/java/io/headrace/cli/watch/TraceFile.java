package io.headrace.cli.watch;

import io.headrace.meter.SpanEvent;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;

/// Records what the loader's threads do and writes it as Chrome trace events, which Perfetto and
/// `chrome://tracing` open: one track a thread. Source: "Trace Event Format", complete events
/// (`ph` X), times in microseconds.
///
/// The spans come from Flight Recorder, which costs nothing while it is off. The first [#MAX]
/// events are kept; the file says how many were dropped.
public final class TraceFile implements AutoCloseable {
  /// The most events that are kept.
  static final int MAX = 200_000;

  private static final String SAMPLE = "headrace.Sample";
  private static final String SPAN = "headrace.Span";
  private static final String BATCH = "headrace.Batch";

  private final Path file;
  private final RecordingStream stream = new RecordingStream();
  private final Instant start = Instant.now();
  private final List<Span> spans = new ArrayList<>();
  private final Map<Long, String> threads = new LinkedHashMap<>();
  private long dropped;

  /// @param start in nanoseconds since the trace began
  /// @param nanos how long it took
  /// @param bytes handled, or -1
  private record Span(String name, long thread, long start, long nanos, long samples, long bytes) {}

  /// Begins to record.
  ///
  /// @param file is made or replaced when the trace is closed
  TraceFile(Path file) throws IOException {
    this.file = file;
    Files.writeString(file, ""); // fails now rather than after the load
    for (String event : List.of(SAMPLE, SPAN, BATCH)) {
      stream.enable(event).withThreshold(Duration.ZERO).withoutStackTrace();
    }
    stream.onEvent(SAMPLE, this::sample);
    stream.onEvent(SPAN, e -> add(e, e.getString("what"), e.getInt("samples"), bytes(e)));
    stream.onEvent(BATCH, e -> add(e, "wait for a batch", e.getInt("samples"), bytes(e)));
    stream.startAsync();
  }

  private static long bytes(RecordedEvent event) {
    long bytes = event.getLong("bytes");
    return bytes == 0 && event.hasField("what") && !SpanEvent.READ.equals(event.getString("what"))
        ? -1
        : bytes;
  }

  private long startOf(RecordedEvent event) {
    return Duration.between(start, event.getStartTime()).toNanos();
  }

  /// A sample is one span, with its decoding and its transforming in it.
  private void sample(RecordedEvent event) {
    long from = startOf(event);
    long whole = event.getDuration().toNanos();
    long decode = Math.clamp(event.getLong("decode"), 0, whole);
    long transform = Math.clamp(event.getLong("transform"), 0, whole - decode);
    long thread = thread(event);
    if (add(event, "sample", 1, bytes(event)) && thread >= 0) {
      spans.add(new Span("decode", thread, from, decode, 1, -1));
      if (transform > 0) {
        spans.add(new Span("transform", thread, from + decode, transform, 1, -1));
      }
    }
  }

  private boolean add(RecordedEvent event, String name, long samples, long bytes) {
    if (spans.size() >= MAX) {
      dropped++;
      return false;
    }
    long thread = thread(event);
    long nanos = event.getDuration().toNanos();
    spans.add(new Span(name, thread, startOf(event), nanos, samples, bytes));
    return true;
  }

  private long thread(RecordedEvent event) {
    RecordedThread thread = event.getThread();
    if (thread == null) {
      return -1;
    }
    long id = thread.getJavaThreadId();
    threads.putIfAbsent(id, String.valueOf(thread.getJavaName()));
    return id;
  }

  @Override
  public void close() throws IOException {
    try (stream) {
      boolean _ = stream.stop(); // passes on what was recorded so far
    }
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"dropped_events\":\"");
      out.write(dropped + "\"},\"traceEvents\":[\n");
      out.write(
          "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"headrace\"}}");
      for (Map.Entry<Long, String> thread : threads.entrySet()) {
        out.write(
            String.format(
                Locale.ROOT,
                ",\n"
                    + "{\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
                thread.getKey(),
                thread.getValue().replaceAll("[^ -~]|[\"\\\\]", "?")));
      }
      for (Span span : spans) {
        out.write(",\n");
        write(out, span);
      }
      out.write("\n]}\n");
    }
  }

  private static void write(BufferedWriter out, Span span) throws IOException {
    out.write("{\"ph\":\"X\",\"pid\":1,\"tid\":" + span.thread);
    out.write(",\"name\":\"" + span.name + "\",\"ts\":" + micros(span.start));
    out.write(",\"dur\":" + micros(span.nanos) + ",\"args\":{\"samples\":" + span.samples);
    out.write(span.bytes < 0 ? "}}" : ",\"bytes\":" + span.bytes + "}}");
  }

  /// {@return microseconds with all nanoseconds, exact where a double would round}
  private static String micros(long nanos) {
    String sign = nanos < 0 ? "-" : "";
    long size = Math.abs(nanos);
    return sign + size / 1000 + String.format(Locale.ROOT, ".%03d", size % 1000);
  }
}
