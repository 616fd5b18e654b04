#!/bin/sh
# Checks whether a process grows with epochs, in which part, and keeps within its memory budget.
#
#   bench/epochs.sh DATASET EPOCHS [JAVA OPTIONS [LOAD OPTIONS]]
#   for example:  bench/epochs.sh samples/photos 50 "-Xmx256m -Xmn8m -XX:TieredStopAtLevel=1"
#                 bench/epochs.sh samples/photos 50 -Xmx256m "--cache lru:16MiB"
#
# Prints what is resident after each tenth of the epochs, in KiB: the Java heap, which fills up to
# its bound; classes, compiled code and what compilers hold at the moment, which grow for minutes;
# and the rest: the engine's, the virtual machine's, and what the C library has not given back.
# Then growth, of medians over five epochs each. How much of the rest is held is measured after
# telling the C library to give back what is free (jcmd System.trim_native_heap): optimising
# compilers leave some 20 MB. Last, the most that was taken off the heap (Java's own count), and
# that was resident.
# Exits 1 if what is held of the rest grew by over 2 % of what is resident, if descriptors or
# threads became more, or if more was taken than the budget. Linux with glibc; needs python3.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/scripts/setup.sh"
find_jdk
export JAVA_HOME
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export HEADRACE_JAVA_OPTS="${3:--Xmx256m} -XX:NativeMemoryTracking=summary \
  -Xlog:gc+heap+coops=debug:file=$log"
python3 - "$root/headrace" "$1" "$2" "$log" ${4:-} <<'PY'
import os, re, statistics, subprocess, sys, tempfile

headrace, data, epochs, log, options = *sys.argv[1:5], sys.argv[5:]
epochs = int(epochs)
budget = options[options.index("--memory-budget") + 1] if "--memory-budget" in options else "64MiB"
if "--memory-budget" not in options:
    options += ["--memory-budget", budget]
UNITS = {"KiB": 1, "MiB": 1 << 10, "GiB": 1 << 20}
limit = float(budget[:-3]) * UNITS[budget[-3:]]
jcmd = os.path.join(os.environ["JAVA_HOME"], "bin", "jcmd")
errors = tempfile.TemporaryFile("w+")
process = subprocess.Popen(
    [headrace, "load", data, "--epochs", str(epochs + 1000), "--no-digest",
     "--pipeline", "center_crop=32,uint8,hwc", *options],
    stdout=subprocess.PIPE, stderr=errors, text=True)


def heap():
    """The addresses that the Java heap may take."""
    found = re.search(r"Heap address: 0x([0-9a-f]+), size: (\d+) MB", open(log).read())
    start = int(found[1], 16)
    return range(start, start + (int(found[2]) << 20))


def tracked(kind, report):
    """What the virtual machine says it holds of a kind now, and at most so far."""
    part = re.search(r"- +%s \(reserved=\d+KB, committed=(\d+)KB\)(.*?)\n-|\Z" % kind, report, re.S)
    peak = re.search(r"malloc=\d+KB[^\n]*?\(peak=(\d+)KB", part[2] or "")
    return int(part[1]), max(int(part[1]), int(peak[1]) if peak else 0)


def ask(what):
    return subprocess.run([jcmd, str(process.pid), *what], capture_output=True, text=True,
                          check=True).stdout


def look():
    """KiB resident: all, heap, compilers with code and classes, the rest; descriptors, threads."""
    report = ask(["VM.native_memory", "summary"])
    sizes = {"heap": 0, "code": 0}
    everything = 0
    for line in open(f"/proc/{process.pid}/smaps"):
        area = re.match(r"([0-9a-f]+)-[0-9a-f]+ (\S+) \S+ \S+ \S+ *(.*)", line)
        if area:
            of = "heap" if int(area[1], 16) in heap_range else (
                "code" if "x" in area[2] and not area[3] else "")
        elif line.startswith("Rss:"):
            everything += int(line.split()[1])
            if of:
                sizes[of] += int(line.split()[1])
    compilers = sizes["code"] + sum(
        tracked(kind, report)[0] for kind in ("Class", "Metaspace", "Compiler", "Arena Chunk"))
    status = dict(l.split(":", 1) for l in open(f"/proc/{process.pid}/status"))
    return dict(all=everything, heap=sizes["heap"], compilers=compilers,
                rest=everything - sizes["heap"] - compilers,
                descriptors=len(os.listdir(f"/proc/{process.pid}/fd")),
                threads=int(status["Threads"]), peak=int(status["VmHWM"].split()[0]),
                taken=tracked("Other", report)[1])


def held():
    """KiB of the rest, without what is free."""
    ask(["System.trim_native_heap"])
    return look()["rest"]


# Five epochs each, of which medians are taken: one may fall into a compilation, or not.
groups = [range(4, 9), range(19, 24), range(epochs - 5, epochs)] if epochs >= 30 else [
    range(4, 5), range(epochs - 1, epochs)]
seen = {}
print("epoch  resident =   heap + compilers +  rest; descriptors, threads")
for line in process.stdout:
    if line.startswith("epoch "):
        number = int(line.split()[1].rstrip(":"))
        if number == 0:
            heap_range = heap()
            held()  # from now on there is a thread that answers
        if number == epochs:
            break
        tenth = (number + 1) % max(1, epochs // 10) == 0
        if tenth or any(number in group for group in groups):
            s = seen[number] = look()
            if tenth or number == 4:
                print("%5d %9d   %6d      %6d %6d    %6d       %6d" % (
                    number + 1, s["all"], s["heap"], s["compilers"], s["rest"], s["descriptors"],
                    s["threads"]), flush=True)
            if any(number in group for group in groups):
                s["held"] = held()
process.terminate()
process.wait()
if len(seen) == 0 or max(seen) < epochs - 1:
    errors.seek(0)
    sys.exit("loading ended early: " + errors.read())


def median(group, what):
    return statistics.median(seen[number][what] for number in group)


last = groups[-1]
def growth(before, after):
    return 100 * after / before - 100


for group in groups[:-1]:
    print("from epoch %d to %d: " % (group[0] + 1, epochs) + ", ".join(
        "%s %+.1f %%" % (name, growth(median(group, what), median(last, what)))
        for name, what in (("resident", "all"), ("heap", "heap"), ("the rest", "rest")))
        + ", held of it %+.1f %% to %d KiB" % (
            growth(median(group, "held"), median(last, "held")), median(last, "held")))
taken, peak = seen[epochs - 1]["taken"], seen[epochs - 1]["peak"]
print("taken off the heap at most %d KiB, budget %d KiB; resident at most %d KiB" % (
    taken, limit, peak))
more = [what for what in ("descriptors", "threads")
        if median(last, what) > median(groups[0], what)]
more_held = median(last, "held") - median(groups[0], "held")
bad = more_held > 0.02 * median(groups[0], "all") or more or taken > limit
sys.exit(1 if bad else 0)
PY
