package io.headrace.serve;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Location;
import io.headrace.error.Printable;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.memory.Batch;
import io.headrace.memory.BatchLayout;
import io.headrace.memory.FieldSpec;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import io.headrace.order.EpochPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// Messages to a consumer, as in `docs/wire.md`.
public final class Messages {
  /// Version of the protocol.
  static final int PROTOCOL = 1;

  private static final int LONGEST_TEXT = 4000;
  private static final int MAX_CLASS_LETTERS = 1 << 20;

  private Messages() {}

  private static Map<String, Object> message(String type) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", type);
    return map;
  }

  /// @param shared whether other consumers see the same memory
  static Map<String, Object> hello(
      ServedDataset offer, Loader loader, SharedMemory memory, boolean shared) {
    SlotLayout layout = memory.layout();
    Map<String, Object> map = message("hello");
    map.put("protocol", PROTOCOL);
    map.put("pid", ProcessHandle.current().pid());
    map.put("memory", memory.path());
    map.put("token", memory.token());
    map.put("bytes", memory.size());
    map.put("slots", memory.slots());
    map.put("first_slot", layout.first());
    map.put("slot_bytes", layout.bytes());
    map.put("labels", layout.labels());
    map.put("ids", layout.ids());
    map.put("shared", shared);
    map.putAll(offer(offer, loader));
    return map;
  }

  /// {@return what a consumer has to know of an offer, wherever its batches lie}
  public static Map<String, Object> offer(ServedDataset offer, Loader loader) {
    EpochPlan plan = loader.plan();
    List<String> classes = offer.dataset().classes();
    long letters = classes.stream().mapToLong(String::length).sum();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("fields", fields(loader.layout()));
    map.put("batch", offer.options().batchSize());
    map.put("dtype", loader.sample().dtype().label());
    map.put("shape", loader.sample().shape());
    map.put("byte_order", "little");
    map.put("samples", offer.dataset().size());
    map.put("batches", plan.batches());
    map.put("rank", offer.options().rank());
    map.put("world", offer.options().world());
    map.put("seed", offer.options().seed());
    map.put("classes", letters > MAX_CLASS_LETTERS ? List.of() : classes);
    return map;
  }

  /// {@return what each field is, and where in a slot it lies}
  private static List<Map<String, Object>> fields(BatchLayout layout) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (int f = 0; f < layout.fields().size(); f++) {
      FieldSpec spec = layout.fields().get(f);
      Map<String, Object> map = new LinkedHashMap<>();
      map.put("name", spec.name());
      map.put("kind", spec.kind().name().toLowerCase(Locale.ROOT));
      map.put("dtype", spec.dtype().label());
      map.put("shape", spec.shape());
      map.put("values", layout.values(f));
      map.put("bytes", layout.valueBytes(f));
      if (spec.ragged()) {
        map.put("offsets", layout.offsets(f));
      }
      all.add(map);
    }
    return all;
  }

  /// @param batches that are left of it, or -1
  static Map<String, Object> started(long run, Epoch epoch, long batches) {
    LoaderState state = epoch.state();
    Map<String, Object> map = message("started");
    map.put("run", run);
    map.put("epoch", state.epoch());
    map.put("batches", batches);
    map.put("state", state.toJson());
    return map;
  }

  /// @param done samples that all ranks together have had after this batch
  static Map<String, Object> batch(long run, int slot, Batch batch, long done) {
    Map<String, Object> map = message("batch");
    map.put("run", run);
    map.put("slot", slot);
    map.put("epoch", batch.epoch());
    map.put("index", batch.index());
    map.put("size", batch.size());
    map.put("valid", batch.validCount());
    map.put("done", done);
    return map;
  }

  /// @param seat of the consumer, which may have had a part of it only
  static Map<String, Object> end(long run, LoaderState next, EpochReport report, Seat seat) {
    Map<String, Object> map = message("end");
    map.put("run", run);
    map.put("epoch", report.epoch());
    map.put("state", next.toJson());
    map.putAll(counts(report));
    map.put("delivered", seat.hadAll() ? report.delivered() : seat.given());
    map.put("missed", seat.missed());
    map.put("seconds", report.seconds());
    map.put("digest", report.digest());
    map.put("verified", report.verified() && seat.hadAll());
    map.put("contradiction", cut(Printable.of(report.contradiction())));
    return map;
  }

  /// {@return what an epoch, or a part of it, counted so far: parts can be added up}
  public static Map<String, Object> counts(EpochReport report) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("delivered", report.delivered());
    map.put("decoded", decoded(report));
    map.put("skipped", report.skipped());
    map.put("substituted", report.substituted());
    map.put("padded", report.padded());
    map.put("missing", report.missing());
    map.put("outside", report.outside());
    map.put("set_digest", report.setDigest());
    return map;
  }

  private static long decoded(EpochReport report) {
    return report.stages().stream()
        .filter(stage -> stage.stage() == Stage.DECODE)
        .mapToLong(StageReading::items)
        .sum();
  }

  /// {@return why there is no more}
  ///
  /// @param run the epoch that failed, or -1 if this is the last message
  public static Map<String, Object> error(long run, Exception why) {
    Map<String, Object> map = message("error");
    map.put("run", run);
    map.put(
        "kind",
        switch (why) {
          case ConfigException _ -> "config";
          case CorruptDataException _ -> "data";
          case BusyException _ -> "busy";
          case java.net.ProtocolException _ -> "protocol";
          case NoSuchFileException _ -> "missing";
          case AccessDeniedException _ -> "denied";
          case IOException _, UncheckedIOException _ -> "io";
          default -> "failed";
        });
    map.put("message", cut(Printable.of(words(why))));
    if (why instanceof FileSystemException system && system.getFile() != null) {
      map.put("file", cut(system.getFile()));
    }
    if (why instanceof CorruptDataException corrupt) {
      Location where = corrupt.where();
      map.put("fault", corrupt.fault().name());
      map.put("reason", cut(corrupt.reason()));
      map.put("file", cut(where.file()));
      map.put("record", where.record());
      map.put("key", where.key() == null ? "" : cut(where.key()));
      map.put("offset", where.offset());
    }
    return map;
  }

  private static String words(Exception why) {
    return switch (why) {
      case NoSuchFileException missing -> "no such file or folder: " + missing.getFile();
      case AccessDeniedException denied ->
          "permission denied: "
              + denied.getFile()
              + (denied.getReason() == null ? "" : ": " + denied.getReason());
      case ConfigException config -> String.valueOf(config.getMessage());
      case IOException io -> String.valueOf(io.getMessage());
      case UncheckedIOException io -> words(Objects.requireNonNull(io.getCause()));
      default -> why + (why.getCause() == null ? "" : ": " + why.getCause());
    };
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }
}
