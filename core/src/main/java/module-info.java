import org.jspecify.annotations.NullMarked;

/// The engine: finds, reads, decodes, orders and batches samples.
@NullMarked
@SuppressWarnings("module") // the modules that some packages are for are compiled after this one
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

  // what users of the library need
  exports io.headrace.codec;
  exports io.headrace.codec.images;
  exports io.headrace.codec.jpeg;
  exports io.headrace.codec.learned;
  exports io.headrace.codec.stream;
  exports io.headrace.convert;
  exports io.headrace.convert.inspect;
  exports io.headrace.convert.target;
  exports io.headrace.error;
  exports io.headrace.format;
  exports io.headrace.format.field;
  exports io.headrace.load;
  exports io.headrace.load.cache;
  exports io.headrace.load.plan;
  exports io.headrace.memory;
  exports io.headrace.order;
  exports io.headrace.pipeline;
  exports io.headrace.sound;
  exports io.headrace.store;
  exports io.headrace.tensor;

  // what our own modules need besides
  exports io.headrace.codec.jpeg.coefficients to
      io.headrace.interop,
      io.headrace.lab;
  exports io.headrace.codec.jpeg.packed to
      io.headrace.lab;
  exports io.headrace.codec.jpeg.turbo to
      io.headrace.interop,
      io.headrace.lab;
  exports io.headrace.codec.png to
      io.headrace.lab;
  exports io.headrace.codec.quality to
      io.headrace.lab;
  exports io.headrace.format.files to
      io.headrace.interop;
  exports io.headrace.format.shard to
      io.headrace.interop;
  exports io.headrace.format.tfrecord to
      io.headrace.interop,
      io.headrace.train;
  exports io.headrace.meter to
      io.headrace.lab,
      io.headrace.serve;
  exports io.headrace.natives to
      io.headrace.lab,
      io.headrace.serve;
  exports io.headrace.pipeline.step to
      io.headrace.lab,
      io.headrace.train;
  exports io.headrace.sound.signal to
      io.headrace.lab;
  exports io.headrace.spec to
      io.headrace.lab;
  exports io.headrace.store.disk to
      io.headrace.interop,
      io.headrace.lab;
  exports io.headrace.weights to
      io.headrace.train;

  uses io.headrace.convert.Cluster.Provider;
  uses io.headrace.format.Container;
  uses io.headrace.format.DatasetOpener;

  provides io.headrace.format.DatasetOpener with
      io.headrace.format.folder.FolderOpener,
      io.headrace.format.race.RaceOpener,
      io.headrace.format.tar.TarOpener,
      io.headrace.format.tfrecord.TfRecordOpener;

  opens io.headrace.format to
      tools.jackson.databind; // fills the manifest's records
}
