package io.headrace.load.fetch;

import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.HeldGroups;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;

/// The share of hits to expect of each epoch, at whatever fidelities samples are read.
final class HitForecast {
  private final CachePolicy policy;
  private final LoadOptions options;
  private final HeldGroups groups;

  HitForecast(CachePolicy policy, LoadSetting setting) {
    this.policy = policy;
    options = setting.options();
    groups = new HeldGroups(setting.dataset().groups());
  }

  /// {@return the share of hits to expect of an epoch; NaN if no formula is known}
  ///
  /// @param mix its fidelity
  /// @param before the fidelity of the epoch before
  double of(FidelityMix mix, FidelityMix before) {
    double enough = groups.enough(mix);
    if (enough > 0 && policy.packing.hasLoneLevels() && !(mix.constant() && mix.equals(before))) {
      // a level serves itself only, and all levels together, where they are kept, serve any
      double all = FidelityCounts.choosesLevels(options) ? groups.enough(FidelityMix.FULL) : 0;
      if (all < 1) {
        return all == 0 && mix.constant() && before.constant() ? 0 : Double.NaN;
      }
    }
    double warm = policy.warmHitRate();
    if (enough > 0
        && options.cache() instanceof CacheSpec.Lru
        && warm < 1
        && Math.abs(enough - groups.enoughOfLast(mix)) > 1e-9) {
      return Double.NaN; // what is there depends on how long it has been
    }
    return enough > 0 ? enough * warm : 0;
  }

  /// Notes that an epoch begins.
  void begun(FidelityMix mix) {
    groups.after(mix, policy.orders().share(), policy.stays());
  }

  /// Notes that the cache is empty.
  void forget() {
    groups.forget();
  }
}
