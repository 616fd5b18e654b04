package io.headrace.cli;

import io.headrace.cli.options.Source;
import io.headrace.convert.inspect.Extractor;
import io.headrace.error.ConfigException;
import io.headrace.error.Printable;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "extract",
    mixinStandardHelpOptions = true,
    description = "Takes one image or sound out of a dataset, as it is stored.",
    footer = {
      "",
      "Example:  headrace extract out/train --key cat/0001.jpg",
      "          headrace extract out/train --index 17 --fidelity 1 -o preview.jpg"
    })
final class Extract implements Callable<Integer> {
  @Mixin private Source source = new Source();

  @Option(names = "--key", paramLabel = "KEY", description = "The sample's key.")
  private @Nullable String key;

  @Option(names = "--index", paramLabel = "N", description = "Its number, from 0.")
  private @Nullable Long index;

  @Option(
      names = "--fidelity",
      paramLabel = "G",
      description = "Fidelity groups to read, from 1; all if not given.")
  private int fidelity = Integer.MAX_VALUE;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "New file to write; named by the key if not given; - for standard output.")
  private @Nullable Path output;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    String wanted = key;
    Long number = index;
    if ((wanted == null) == (number == null)) {
      throw new ConfigException("say which sample: give --key or --index");
    }
    PrintWriter err = spec.commandLine().getErr();
    try (Dataset dataset = source.open();
        var _ = new Warnings(err, dataset)) {
      long at = number == null ? dataset.find(String.valueOf(wanted)) : number;
      if (at < 0) {
        throw new ConfigException(
            number == null ? "there is no sample " + wanted : "there is no sample " + number);
      }
      err.println(Extractor.extract(dataset, at, fidelity, this::write));
      err.flush();
      return Exit.DONE;
    }
  }

  private String write(Sample sample, MemorySegment image) throws IOException {
    Path file = output;
    boolean standard = file != null && file.toString().equals("-");
    if (file == null) {
      file = Path.of(name(sample.key(), Content.extensionOf(image)));
    }
    try {
      if (standard) {
        writeAll(Channels.newChannel(System.out), image);
        System.out.flush();
      } else {
        try (FileChannel out =
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          writeAll(out, image);
        }
      }
    } catch (FileAlreadyExistsException e) {
      throw new ConfigException(file + " is there already: name another with --output");
    }
    return String.format(
        Locale.ROOT,
        "%s: %s, label %d, %,d bytes, from %s",
        standard ? "standard output" : file,
        Printable.of(sample.key()),
        sample.label(),
        image.byteSize(),
        sample.location());
  }

  private static void writeAll(WritableByteChannel out, MemorySegment image) throws IOException {
    ByteBuffer bytes = image.asByteBuffer();
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  private static String name(String key, @Nullable String extension) {
    String base = key.substring(key.lastIndexOf('/') + 1).replaceAll("[^\\w.-]", "_");
    return base.contains(".") || extension == null ? base : base + "." + extension;
  }
}
