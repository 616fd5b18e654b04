package io.headrace.spark;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageFormat;
import io.headrace.convert.inspect.PlainImage;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.sound.AudioFormat;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.foreign.MemorySegment;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// Reads a part of a dataset as rows. Reads no more of a sample than the columns need: nothing for
/// none, what an index has for key and label.
final class SampleRows implements PartitionReader<InternalRow> {
  private static final Logger LOG = System.getLogger("io.headrace.spark");

  private static final Kept<Dataset> OPEN = new Kept<>();

  private final SamplePart part;
  private final String[] columns;
  private final boolean pictures;
  private final Kept<Dataset>.Lent lent;
  private final Dataset.@Nullable SampleReader reader;
  private final Dataset.@Nullable SampleCursor cursor;
  private final MemoryBudget budget = MemoryBudget.unbounded();
  private final Sample sample = new Sample(new Block(budget));
  private final PlainImage plain = new PlainImage(budget);
  private final FieldText text = new FieldText();
  private long next;
  private long bytes;
  private long skipped;
  private boolean ended;
  private InternalRow row = new GenericInternalRow(0);

  SampleRows(SamplePart part, StructType wanted) throws IOException {
    this.part = part;
    columns = wanted.fieldNames();
    pictures = Columns.needPictures(wanted);
    next = part.from();
    lent = OPEN.lend(part.set(), () -> SampleTable.open(new SourceOptions(part.options())));
    Dataset dataset = lent.get();
    try {
      reader = part.shard() < 0 ? dataset.openReader() : null;
      cursor = part.shard() < 0 ? null : dataset.openCursor(part.shard(), part.fidelity());
    } catch (IOException | RuntimeException e) {
      try (lent;
          plain;
          sample) {
        throw e;
      }
    }
  }

  @Override
  public boolean next() throws IOException {
    while (!ended) {
      boolean there = false;
      try {
        there = read();
        if (!there) {
          return false;
        }
        row = row();
        return true;
      } catch (CorruptDataException e) {
        if (!part.skip() || e.fault() == Fault.IO) {
          throw e;
        }
        skipped++;
        ended = !there && cursor != null && !cursor.resumable();
        String rest = ended ? ", and the rest of the shard" : "";
        LOG.log(Logger.Level.WARNING, "skipped" + rest + ": " + e.getMessage());
      }
    }
    return false;
  }

  /// {@return whether there was a sample}
  private boolean read() throws IOException {
    Dataset.SampleReader samples = reader;
    if (samples == null) {
      boolean more = cursor != null && cursor.next(sample);
      bytes += more ? sample.storedBytes() : 0;
      return more;
    }
    if (next == part.to()) {
      return false;
    }
    long index = next++;
    if (pictures) {
      samples.read(index, part.fidelity(), sample);
      bytes += sample.storedBytes();
    } else if (columns.length > 0) {
      sample.place("", -1, -1);
      samples.describe(index, sample);
      bytes += sample.storedBytes();
    }
    return true;
  }

  private InternalRow row() throws IOException {
    MemorySegment image = null;
    var values = new @Nullable Object[columns.length];
    for (int i = 0; i < values.length; i++) {
      try {
        if (image == null && pictures) {
          image = plain.of(sample);
        }
        MemorySegment file = image == null ? MemorySegment.NULL : image;
        values[i] =
            switch (columns[i]) {
              case Columns.KEY -> UTF8String.fromString(sample.key());
              case Columns.LABEL -> sample.label() == Sample.NO_LABEL ? null : sample.label();
              case Columns.FIELDS -> fields();
              case Columns.BYTES -> file.toArray(JAVA_BYTE);
              case Columns.SIZE -> file.byteSize();
              case Columns.ENCODING -> encoding(file);
              default -> throw new IllegalStateException("column " + columns[i]);
            };
      } catch (DecodeException e) {
        throw CorruptDataException.at(sample.location(), e);
      }
    }
    return new GenericInternalRow(values);
  }

  private ArrayBasedMapData fields() throws DecodeException {
    int count = sample.fields();
    var names = new Object[count];
    var values = new Object[count];
    for (int i = 0; i < count; i++) {
      String value = text.of(sample, i);
      names[i] = UTF8String.fromString(sample.fieldName(i));
      values[i] =
          new GenericInternalRow(
              new @Nullable Object[] {
                value == null ? null : UTF8String.fromString(value),
                sample.field(i).toArray(JAVA_BYTE),
                sample.isFeature(i)
              });
    }
    return new ArrayBasedMapData(new GenericArrayData(names), new GenericArrayData(values));
  }

  private static @Nullable UTF8String encoding(MemorySegment file) {
    ImageFormat image = ImageFormat.detect(file);
    AudioFormat sound = image == null ? AudioFormat.detect(file) : null;
    return image != null
        ? UTF8String.fromString(image.label())
        : sound != null ? UTF8String.fromString(sound.label()) : null;
  }

  @Override
  public InternalRow get() {
    return row;
  }

  @Override
  public CustomTaskMetric[] currentMetricsValues() {
    return new CustomTaskMetric[] {
      new Metric(SampleScan.BytesRead.NAME, bytes), new Metric(SampleScan.Skipped.NAME, skipped)
    };
  }

  private record Metric(String name, long value) implements CustomTaskMetric {}

  @Override
  public void close() throws IOException {
    try (lent;
        plain;
        sample) {
      if (reader != null) {
        reader.close();
      }
      if (cursor != null) {
        cursor.close();
      }
    }
  }
}
