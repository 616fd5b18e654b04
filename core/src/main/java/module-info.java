import org.jspecify.annotations.NullMarked;

/// The engine: finds, reads, decodes, orders and batches samples.
@NullMarked
module io.headrace.core {
  requires static org.jspecify;
  requires static jdk.incubator.vector; // faster where the JVM has it, see AcrossFilter
  requires com.github.luben.zstd_jni;
  requires org.apache.commons.compress;
  requires org.lz4.java;
  requires org.tukaani.xz;
  requires org.xerial.snappy;
  requires tools.jackson.databind;
  requires java.management; // CPU time of threads
  requires jdk.jfr;
  requires jdk.unsupported; // direct reads, see DirectOption

  exports io.headrace.codec;
  exports io.headrace.codec.avif;
  exports io.headrace.codec.images;
  exports io.headrace.codec.jpeg;
  exports io.headrace.codec.jpeg.turbo;
  exports io.headrace.codec.plain;
  exports io.headrace.codec.png;
  exports io.headrace.codec.webp;
  exports io.headrace.sound;
  exports io.headrace.sound.signal;
  exports io.headrace.codec.jpeg.planes;
  exports io.headrace.codec.lossless;
  exports io.headrace.natives;
  exports io.headrace.codec.quality;
  exports io.headrace.codec.stream;
  exports io.headrace.codec.jpeg.coefficients;
  exports io.headrace.codec.jpeg.tiles;
  exports io.headrace.tensor;
  exports io.headrace.convert;
  exports io.headrace.error;
  exports io.headrace.format;
  exports io.headrace.format.example;
  exports io.headrace.format.field;
  exports io.headrace.format.race;
  exports io.headrace.format.shard;
  exports io.headrace.format.tar;
  exports io.headrace.format.tfrecord;
  exports io.headrace.load;
  exports io.headrace.load.cache;
  exports io.headrace.load.plan;
  exports io.headrace.memory;
  exports io.headrace.meter;
  exports io.headrace.order;
  exports io.headrace.pipeline;
  exports io.headrace.pipeline.step;
  exports io.headrace.random;
  exports io.headrace.spec;
  exports io.headrace.store;

  uses io.headrace.format.Container;
  uses io.headrace.format.DatasetOpener;

  provides io.headrace.format.DatasetOpener with
      io.headrace.format.race.RaceOpener,
      io.headrace.format.tar.TarOpener,
      io.headrace.format.tfrecord.TfRecordOpener;

  opens io.headrace.format to
      tools.jackson.databind; // fills the manifest's records
}
