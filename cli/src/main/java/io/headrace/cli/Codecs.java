package io.headrace.cli;

import io.headrace.cli.print.Json;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.stream.StreamKind;
import io.headrace.natives.NativeLibrary;
import io.headrace.natives.NativeStatus;
import io.headrace.sound.AudioFormat;
import io.headrace.tensor.TensorCodec;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "codecs",
    mixinStandardHelpOptions = true,
    description = "Lists encodings and the C libraries behind them; bench measures them on data.",
    footer = {"", "Example:  headrace codecs bench photos/train"},
    subcommands = {CodecsBench.class, CodecsTrain.class})
final class Codecs implements Callable<Integer> {
  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<String> images = Arrays.stream(ImageFormat.values()).map(ImageFormat::label).toList();
    List<String> audio = Arrays.stream(AudioFormat.values()).map(AudioFormat::label).toList();
    List<String> streams = Arrays.stream(StreamKind.values()).map(StreamKind::label).toList();
    List<String> tensors = TensorCodec.all().stream().map(TensorCodec::label).toList();
    List<NativeStatus> libraries = NativeLibrary.all().stream().map(NativeLibrary::status).toList();
    if (json) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("images", images);
      all.put("audio", audio);
      all.put("streams", streams);
      all.put("tensors", tensors);
      all.put("libraries", libraries);
      Json.print(out, all);
    } else {
      out.println("images    " + String.join(", ", images));
      out.println("audio     " + String.join(", ", audio));
      out.println("streams   " + String.join(", ", streams));
      out.println("tensors   " + String.join(", ", tensors));
      for (NativeStatus library : libraries) {
        out.printf(
            "%-15s %-20s %s%n",
            library.name(),
            library.purpose(),
            library.found() ? library.version() : "not found: " + library.remedy());
      }
    }
    out.flush();
    return Exit.DONE;
  }
}
