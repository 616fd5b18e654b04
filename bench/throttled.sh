#!/bin/sh
# On stores slowed down to a device's figures: the rate of loading, beside what the device and the
# share of samples that a cache is predicted to have give.
#
#   bench/throttled.sh FOLDER [STORES [CACHES [SECONDS]]]
#   for example:  bench/throttled.sh samples/photos "hdd ssd paper-24 paper-227" \
#                   "none lru minio two-region" 6
#
# The photos, twice each, for stores of more than 200 MB/s eight times, become raw pixels in one
# shard, so that decoding is never the bound. A cache has half of their bytes. The first epoch,
# which fills it, is left out; the next ones last about SECONDS, until one more begins. Two readers,
# and the order of each cache: full, or two-region; of hdd without a cache also sequential.
#
# Expected is 1 / ((1 - predicted hit rate) * time a sample), where a sample takes its bytes' time
# at the device's rate and, of hdd, a seek unless it lies within 512 KiB of the last one. In full
# order few do; two regions are read in stored order, so that there is a seek only where more lies
# between that stayed in memory. Each epoch begins with one.
#
# Exits 1 if a rate is off by more than 5 %. Needs python3.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
photos=${1:?usage: throttled.sh FOLDER [STORES [CACHES [SECONDS]]]}
[ -d "$photos" ] || { echo "no folder $photos" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 - "$root/headrace" "$work" "$photos" "${2:-hdd ssd paper-24 paper-227}" \
  "${3:-none lru minio two-region}" "${4:-6}" <<'PY'
import json, os, subprocess, sys

headrace, work, photos, stores, caches, seconds = sys.argv[1:]
NEAR = 512 << 10  # bytes: Throttle.NEAR
DEVICES = {  # bytes a second, seconds of a seek: Device
    "hdd": (160e6, 12e-3), "ssd": (530e6, 0), "sata-ssd": (530e6, 0), "paper-24": (24e6, 0),
    "paper-227": (227e6, 0)}


class Data:
    """The photos so many times, as raw pixels in one shard."""

    def __init__(self, copies):
        source = os.path.join(work, "photos%d" % copies)
        for folder, _, files in os.walk(photos, followlinks=True):
            for copy in range(copies if files else 0):
                to = os.path.join(source, os.path.relpath(folder, photos))
                os.makedirs(to, exist_ok=True)
                for file in files:
                    os.symlink(os.path.abspath(os.path.join(folder, file)),
                               os.path.join(to, "%d-%s" % (copy, file)))
        self.path = os.path.join(work, "raw%d" % copies)
        subprocess.run([headrace, "convert", source, self.path, "--format", "race", "--encoding",
                        "raw", "--resize", "shortest=224", "--shards", "1"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.bytes = sum(os.path.getsize(os.path.join(self.path, f))
                         for f in os.listdir(self.path) if f.endswith(".race"))
        with open(os.path.join(self.path, "dataset.json")) as manifest:
            self.samples = json.load(manifest)["samples"]

    def load(self, store, cache, order, epochs):
        kept = "none" if cache == "none" else "%s:%d" % (cache, self.bytes // 2)
        out = subprocess.run(
            [headrace, "load", self.path, "--store", store, "--cache", kept, "--order", order,
             "--epochs", str(2 + epochs), "--pipeline", "center_crop=32,uint8,hwc", "--no-digest",
             "--json"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        reports = json.loads(out)
        assert all(r["verified"] for r in reports)
        return reports[1:-1], reports[-1]["began"] - reports[1]["began"]


def far(order, hits, of):
    """The share of samples read that a seek comes before, the first of an epoch aside."""
    if order == "full":
        return 1 - 2 * NEAR / of.bytes
    if order == "sequential":
        return 0
    return hits ** (NEAR * of.samples // of.bytes + 1)  # so many in a row stayed in memory


made = {}
print("| store | cache | order | hit rate, predicted | bytes/sample read | expected samples/s "
      "| measured | |")
print("|---|---|---|---|---|---|---|---|")
worst = 0
for store in stores.split():
    rate, seek = DEVICES[store]
    copies = 8 if rate > 200e6 else 2
    of = made[copies] = made.get(copies) or Data(copies)
    for cache in caches.split():
        orders = ["two-region"] if cache == "two-region" else (
            ["sequential", "full"] if cache == "none" and seek else ["full"])
        for order in orders:
            mean_bytes = of.bytes / of.samples
            rough = of.samples * (mean_bytes / rate + seek * far(order, 0.5, of))
            rough *= 1 if cache == "none" else 0.5
            epochs = min(60, max(1, round(float(seconds) / rough)))
            reports, took = of.load(store, cache, order, epochs)
            delivered = sum(r["delivered"] for r in reports)
            mean = lambda of: sum(of(r) for r in reports) / len(reports)
            predicted = mean(lambda r: r["cache"]["predicted_hit_rate"])
            each = mean_bytes / rate + seek * far(order, predicted, of)
            expected = of.samples / (of.samples * (1 - predicted) * each + seek)
            measured = delivered / took
            off = 100 * measured / expected - 100
            worst = max(worst, abs(off))
            print("| %s | %s | %s | %.3f, %.3f | %s | %.1f | %.1f | %+.1f %% |" % (
                store, cache, order, mean(lambda r: r["cache"]["hit_rate"]), predicted,
                format(round(sum(r["bytes_read"] for r in reports) / delivered), ","),
                expected, measured, off), flush=True)
sys.exit(1 if worst > 5 else 0)
PY
