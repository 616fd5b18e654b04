package io.headrace.lab.model;

import io.headrace.error.ConfigException;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;

/// What trainers need that hosts of one kind feed over the network.
///
/// @param rate samples a second that all trainers take together
/// @param costs of a sample, that of sending it included
/// @param delivered bytes of a sample as it is sent
/// @param readers a host, the fewest with which waiting for the store bounds nothing
/// @param each what a host would deliver, without the bound of its network
/// @param host what each is
/// @param hosts how many of them it takes
public record Sizing(
    double rate, Costs costs, long delivered, int readers, Prediction each, Host host, int hosts) {
  private static final int MAX_READERS = 256;

  /// CPU seconds to send a byte by Arrow Flight: gRPC and the kernel.
  private static final double SENDING = 0.55e-9;

  /// A host that decodes.
  ///
  /// @param platform its processors, and the store that it reads from
  /// @param bytesPerSecond that its network carries in each direction
  public record Host(Platform platform, double bytesPerSecond) {
    /// Checks the ranges.
    ///
    /// @throws ConfigException if they make no sense
    public Host {
      if (platform.cores() < 1 || !(bytesPerSecond > 0)) {
        throw new ConfigException(
            "hosts of %d cores with a network of %.3g bytes/s: expected more of both"
                .formatted(platform.cores(), bytesPerSecond));
      }
    }
  }

  /// {@return what a trial's consumers need}
  ///
  /// @param trial with a consumer that has a rate of its own
  /// @param found what a sample costs
  /// @param samples of the whole dataset
  /// @throws ConfigException if the consumer takes all it gets
  public static Sizing of(Trial trial, Costs found, Host host, long samples) {
    if (trial.consumer().unbounded()) {
      throw new ConfigException(
          "trainers that take all they get: expected a rate, such as 8*resnet50");
    }
    long delivered =
        Math.multiplyExact(trial.pipeline().views(), trial.pipeline().outputSpec().bytes());
    Costs costs = found.withRest(found.rest() + SENDING * delivered);
    Trial alone = trial.with(Key.CONSUMER, "none").with(Key.THREADS, host.platform().cores());
    int readers = trial.number(Key.READERS);
    Prediction each = predict(alone, readers, costs, host, samples);
    boolean helps = true;
    while (helps && readers < MAX_READERS && waits(each)) {
      int more = Math.min(MAX_READERS, 2 * readers);
      Prediction faster = predict(alone, more, costs, host, samples);
      helps = faster.limit(faster.bound()) > each.limit(each.bound());
      readers = helps ? more : readers;
      each = helps ? faster : each;
    }
    double rate = trial.consumer().samplesPerSecond();
    double most = Math.min(each.low(), host.bytesPerSecond() / delivered);
    int hosts = (int) Math.ceil(rate / most);
    return new Sizing(rate, costs, delivered, readers, each, host, hosts);
  }

  private static Prediction predict(
      Trial trial, int readers, Costs costs, Host host, long samples) {
    return Model.USUAL.predict(trial.with(Key.READERS, readers), costs, host.platform(), samples);
  }

  private static boolean waits(Prediction found) {
    return found.bound() == Prediction.Bound.READERS || found.bound() == Prediction.Bound.STORE;
  }

  /// {@return processors that are busy at all hosts together}
  public double cores() {
    return rate * (costs.miss().all() + costs.rest()) / costs.busy();
  }

  /// {@return bytes a second that the store gives, if no cache has them}
  public double storeBytes() {
    return rate * costs.bytes();
  }

  /// {@return bytes a second that go to the trainers}
  public double networkBytes() {
    return rate * delivered;
  }

  /// {@return whether the hosts' network bounds them, rather than what [#each] says}
  public boolean boundByNetwork() {
    return host.bytesPerSecond() / delivered < each.low();
  }
}
