# SPDX-License-Identifier: Apache-2.0
"""How the loader scales: rates by number of cores, a law fitted to them, what 16 cores would give.

Loads whole epochs with the files in the page cache, on 1, 2, 4, … cores: all threads of the loader
are bound to n cores, on which n decode workers run. Numbers take turns, rounds begin with another
one each; medians are fitted with the Universal Scalability Law. A rate is that of the core-seconds
which other programs left (/proc/stat), so that a busy machine does not look like contention. Memory bandwidth is measured by a
triad over arrays larger than caches, bytes a sample by counters of the processor where `perf` has
them, else told from sizes.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from statistics import median

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import law

JAR = os.path.join(ROOT, "bench/target/headrace-bench-0.1.0-SNAPSHOT.jar")
COUNTERS = ("LLC-load-misses", "LLC-store-misses")


def arguments():
    parser = argparse.ArgumentParser(prog="./benchmark scaling", description=__doc__)
    parser.add_argument("data", metavar="DATA", help="what `headrace load` takes, that has a size")
    parser.add_argument("--threads", help="such as 1,2,4; powers of two up to the cores if not given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="of each run, whole epochs")
    parser.add_argument("--warm-up", type=float, default=15, help="seconds, on all cores")
    parser.add_argument("--pipeline", default="train")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--cores", type=int, default=16, help="how many to predict for")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


def numbers(text, cores):
    """Numbers of threads to run, ascending; those that exceed the cores are run, but not fitted."""
    if text:
        return sorted({int(n) for n in text.split(",")} | {1})
    return [n for n in (1, 2, 4, 8, 16, 32, 64, 128) if n <= cores]


TICK = os.sysconf("SC_CLK_TCK")


def busy(cores):
    """Seconds that some cores have worked so far. Source: proc(5), /proc/stat."""
    total = 0
    with open("/proc/stat") as file:
        for words in map(str.split, file):
            if words[0][3:].isdigit() and int(words[0][3:]) in cores:
                user, nice, system, _, _, irq, softirq, steal = map(int, words[1:9])
                total += user + nice + system + irq + softirq + steal
    return total / TICK


def own(pid):
    """Seconds that a process has run so far. Source: proc(5), /proc/pid/stat, fields 14 and 15."""
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Loop:
    """The Java program that does the work, and where its threads may run."""

    def __init__(self, job):
        java = os.path.join(os.environ.get("JAVA_HOME", ""), "bin/java")
        command = [java if os.path.exists(java) else "java", "--enable-native-access=ALL-UNNAMED"]
        command += ["--add-modules", "jdk.incubator.vector", "-XX:+UseSerialGC", "-Xmx4g"]
        command += ["-cp", JAR, "io.headrace.bench.ScalingLoop", job.data, job.pipeline]
        self.cores = sorted(os.sched_getaffinity(0))
        self.process = subprocess.Popen(
            [*command, str(job.batch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, *words):
        self.process.stdin.write(" ".join(str(w) for w in words) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit("%s: the program ended with %s" % (words[0], self.process.wait()))
        return json.loads(answer)

    def on(self, n, *words):
        """Asks with all threads, and those that they start, on the first n cores."""
        cores = set(self.cores[:n])
        for thread in os.listdir("/proc/%d/task" % self.process.pid):
            try:
                os.sched_setaffinity(int(thread), cores)
            except ProcessLookupError:
                pass  # it has ended
        return self.ask(*words)

    def load(self, n, threads, seconds):
        """A run on the first n cores, and what share of them other programs left."""
        before, own_before, start = busy(self.cores[:n]), own(self.process.pid), time.monotonic()
        result = self.on(n, "load", threads, seconds)
        took = time.monotonic() - start
        used = own(self.process.pid) - own_before
        others = busy(self.cores[:n]) - before - used
        return {**result, "cpu": used, "left": law.left(n, took, others)}

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def counted(loop, n, seconds):
    """Bytes a sample by the processor's counters, or None where there are none."""
    perf = ["perf", "stat", "-x", ",", "-e", ",".join(COUNTERS), "-p", str(loop.process.pid)]
    try:
        counter = subprocess.Popen(perf, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError:
        return None
    result = loop.on(n, "load", n, seconds)
    counter.send_signal(2)
    values = [line.split(",")[0] for line in counter.communicate()[1].splitlines()]
    if len(values) < len(COUNTERS) or not all(v.isdigit() for v in values[: len(COUNTERS)]):
        return None
    return law.LINE * sum(int(v) for v in values[: len(COUNTERS)]) / result["samples"]


def measure(job):
    loop = Loop(job)
    cores = len(loop.cores)
    threads = numbers(job.threads, cores)
    loop.on(cores, "load", cores, job.warm_up)
    runs = {n: [] for n in threads}
    for turn in range(job.rounds):
        start = turn % len(threads)
        for n in threads[start:] + threads[:start]:
            runs[n].append(loop.load(min(n, cores), n, job.seconds))
            print("round %d, %d threads" % (turn + 1, n), file=sys.stderr)
    triads = {n: [] for n in threads if n <= cores}
    for _ in range(3):
        for n in triads:
            triads[n].append(loop.on(n, "triad", n, 0.5)["bytes_per_second"])
    sizes = loop.ask("sizes")
    by_counters = counted(loop, cores, job.seconds)
    loop.close()
    return evaluate(job, cores, runs, triads, sizes, by_counters)


def evaluate(job, cores, runs, triads, sizes, by_counters):
    """What is printed, of what was measured."""
    rates = {
        n: median(r["samples"] / r["seconds"] / r["left"] for r in of_n) for n, of_n in runs.items()
    }
    found = law.fit({n: x for n, x in rates.items() if n <= cores})
    bandwidth = {n: median(values) for n, values in triads.items()}
    moved = by_counters or law.bytes_moved(sizes)
    samples = {n: sum(r["samples"] for r in of_n) for n, of_n in runs.items()}
    return {
        "cores": cores,
        "rates": rates,
        "left": {n: median(r["left"] for r in runs[n]) for n in runs},
        "cpu": {n: 1e6 * sum(r["cpu"] for r in runs[n]) / samples[n] for n in runs},
        "blocked": {n: sum(r["blocked"] for r in runs[n]) / samples[n] for n in runs},
        "waited": {n: sum(r["waited"] for r in runs[n]) / samples[n] for n in runs},
        "law": dict(zip(("lambda", "sigma", "kappa"), found)),
        "bandwidth": bandwidth,
        "sizes": sizes,
        "bytes_per_sample": moved,
        "bytes_by": "counters" if by_counters else "sizes, an upper bound",
        "predicted": law.predict(
            range(1, job.cores + 1), found, max(bandwidth.values()), moved
        ),
    }


def text(result):
    first, sigma, kappa = (result["law"][k] for k in ("lambda", "sigma", "kappa"))
    lines = ["threads  samples/s  times one  cores left  CPU us/sample  blocked, waited a sample"]
    for n, x in result["rates"].items():
        lines.append(
            "%7d  %9.0f  %8.2fx  %9.0f%%  %13.0f  %.3f, %.3f%s"
            % (
                n,
                x,
                x / first,
                100 * result["left"][n],
                result["cpu"][n],
                result["blocked"][n],
                result["waited"][n],
                "" if n <= result["cores"] else "  on %d cores: not fitted" % result["cores"],
            )
        )
    lines.append("")
    lines.append("X(n) = λn / (1 + σ(n−1) + κn(n−1)) with λ = %.0f samples/s" % first)
    if sigma is None:
        lines.append("  σ and κ cannot be told from one core: predictions are n times its rate")
    elif kappa is None:
        lines.append("  σ = %.4f; κ cannot be told from two points, and is taken for 0:" % sigma)
        lines.append("  predictions are Amdahl's, an upper bound")
    else:
        lines.append("  σ = %.4f, κ = %.6f" % (sigma, kappa))
    bandwidth = ", ".join("%d: %.1f" % (n, b / 1e9) for n, b in result["bandwidth"].items())
    lines.append("memory, GB/s of a triad by threads: " + bandwidth)
    moved = result["bytes_per_sample"]
    lines.append("bytes a sample: %.2f MB (by %s)" % (moved / 1e6, result["bytes_by"]))
    if len(result["bandwidth"]) < 3:
        lines.append("  more cores may have more bandwidth than these: the bound is a low one")
    lines.append("")
    lines.append("cores  samples/s predicted  of n cores' rate  bound")
    for row in result["predicted"]:
        share = row["rate"] / row["cores"] / first
        lines.append(
            "%5d  %19.0f  %15.0f%%  %s" % (row["cores"], row["rate"], 100 * share, row["bound"])
        )
    return "\n".join(lines)


def main():
    job = arguments()
    result = measure(job)
    print(json.dumps(result) if job.json else text(result))


if __name__ == "__main__":
    main()
