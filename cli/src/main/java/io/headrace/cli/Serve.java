package io.headrace.cli;

import io.headrace.cli.options.DeliveryOptions;
import io.headrace.cli.options.FlightOptions;
import io.headrace.cli.options.Source;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.load.plan.LoadOptions;
import io.headrace.pipeline.Pipeline;
import io.headrace.serve.NetworkServer;
import io.headrace.serve.ServedDataset;
import io.headrace.serve.Server;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description =
        "Hands batches to another process: of this machine, in shared memory, or of others, by"
            + " Arrow Flight.",
    footer = {
      "",
      "Example:  headrace serve out/train --batch 128 --socket train.sock",
      "          headrace serve out/train --batch 128 --flight 0.0.0.0:8815",
      "",
      "In Python, which starts this command itself unless it is given a socket:",
      "          from headrace import Loader",
      "          for batch in Loader(\"out/train\", batch=128): …",
      "          for batch in Loader(servers=[\"cpu1:8815\", \"cpu2:8815\"]): …",
      "",
      "The consumer asks for epochs, or for a state to resume from. One",
      "consumer is served at a time, unless --jobs says that they share, or",
      "--flight serves any number of ranks."
    })
final class Serve implements Callable<Integer> {
  private static final String SHARED_MEMORY = "/dev/shm";

  /// How long the process may take to end once the consumer is gone.
  private static final int ENDING_MILLIS = 5000;

  @Mixin private Source source = new Source();

  @Mixin private DeliveryOptions feeding = new DeliveryOptions();

  @Option(
      names = "--socket",
      paramLabel = "PATH",
      description =
          "Unix domain socket to make and to wait at, for one consumer after another; with - the"
              + " consumer is at a socket that is this process's standard input, and the process"
              + " ends with it.")
  private @Nullable String socket;

  @Mixin private FlightOptions network = new FlightOptions();

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "Serve several consumers at a time, with every batch made once for all: the first epoch"
              + " begins when N have asked for one. Others may join and leave at any time. The"
              + " fastest is at most as many batches ahead of the slowest as --prefetch says.")
  private @Nullable Integer jobs;

  @Option(
      names = "--shm",
      paramLabel = "DIR",
      description = "Folder to make shared memory in (" + SHARED_MEMORY + ").")
  private @Nullable Path folder;

  @Option(names = "--digest", description = "Hash pixels, for the digest of each epoch.")
  private boolean digest;

  @Option(
      names = "--synthetic",
      description =
          "With --flight: load one batch an epoch and send it again: the most the network gives.")
  private boolean synthetic;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Store store = feeding.openStore();
    PrintWriter err = spec.commandLine().getErr();
    Integer sharing = jobs;
    String at = socket;
    if (network.asked()) {
      String other =
          at != null
              ? "--socket"
              : sharing != null ? "--jobs" : digest ? "--digest" : folder != null ? "--shm" : "";
      if (!other.isEmpty()) {
        throw new ConfigException("--flight with %s: expected one of them".formatted(other));
      }
      NetworkServer server = network.server();
      try (Dataset dataset = open(store);
          var _ = new Warnings(err, store, dataset)) {
        server.serve(offer(dataset), network.options(), this::announce, this::report);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Exit.DONE;
    }
    if (at == null) {
      throw new ConfigException("no --socket and no --flight: expected one of them");
    }
    if (synthetic) {
      throw new ConfigException("--synthetic with --socket: expected it with --flight");
    }
    if (sharing != null && (at.equals("-") || sharing < 1)) {
      throw new ConfigException(
          "--jobs %d with --socket %s: expected 1 or more consumers, at a path"
              .formatted(sharing, at));
    }
    if (sharing != null) {
      try (Dataset dataset = open(store);
          var _ = new Warnings(err, store, dataset)) {
        Server.share(Path.of(at), offer(dataset), sharing, () -> announce(at), this::report);
      }
      return Exit.DONE;
    }
    if (!at.equals("-")) {
      try (Dataset dataset = open(store);
          var _ = new Warnings(err, store, dataset)) {
        Server.listen(Path.of(at), offer(dataset), () -> announce(at), this::report);
      }
      return Exit.DONE;
    }
    SocketChannel consumer = inherited();
    try (Dataset dataset = open(store);
        var _ = new Warnings(err, store, dataset)) {
      long bad = Server.serve(consumer, offer(dataset), Serve::limitEnding);
      return bad == 0 ? Exit.DONE : Exit.BAD_DATA;
    } catch (IOException | RuntimeException e) {
      Server.refuse(consumer, e); // heard only if nothing was said before
      throw e;
    }
  }

  private Dataset open(Store store) throws IOException {
    Dataset dataset = source.open(store, feeding.planned());
    if (dataset.indexed()) {
      long _ = dataset.size(); // so that warnings are printed now, not at the end
    }
    return dataset;
  }

  private ServedDataset offer(Dataset dataset) throws IOException {
    Pipeline steps = feeding.steps(dataset);
    LoadOptions options = feeding.builder().digest(digest).synthetic(synthetic).build();
    ClassOrder.warn(spec.commandLine().getErr(), dataset, options.order(), steps);
    return new ServedDataset(
        dataset, steps, options, folder == null ? Path.of(SHARED_MEMORY) : folder);
  }

  private static SocketChannel inherited() throws IOException {
    if (System.inheritedChannel() instanceof SocketChannel channel) {
      return channel;
    }
    throw new ConfigException("--socket -: standard input is not a connected socket");
  }

  /// The consumer, which would end this process, is gone: a read that hangs must not keep it alive.
  private static void limitEnding() {
    Thread.ofPlatform()
        .daemon()
        .name("end")
        .start(
            () -> {
              try {
                Thread.sleep(ENDING_MILLIS);
                Runtime.getRuntime().halt(Exit.FAILED);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private void announce(String place) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("waiting for a consumer at " + place);
    err.flush();
  }

  private void report(Exception why) {
    PrintWriter err = spec.commandLine().getErr();
    String words = Failures.describe(why);
    err.println(words.startsWith("consumer ") ? words : "consumer: " + words);
    err.flush();
  }
}
