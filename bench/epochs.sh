#!/bin/sh
# Whether a process grows with epochs: resident memory, descriptors and threads behind each.
#
#   bench/epochs.sh DATASET EPOCHS [JAVA OPTIONS]
#   for example:  bench/epochs.sh samples/photos 50 "-Xmx256m -Xmn8m -XX:TieredStopAtLevel=1"
#
# Prints one line for each tenth of the epochs; exits 1 if the last is more than 5 % above the
# fifth. The optimising compiler's own memory grows for minutes: -XX:TieredStopAtLevel=1 leaves it
# out.
# Linux; needs python3.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
HEADRACE_JAVA_OPTS=${3:--Xmx256m} exec python3 - "$root/headrace" "$1" "$2" <<'PY'
import os, subprocess, sys
headrace, data, epochs = sys.argv[1], sys.argv[2], int(sys.argv[3])
process = subprocess.Popen(
    [headrace, "load", data, "--epochs", str(epochs + 1), "--memory-budget", "64MiB", "--no-digest",
     "--pipeline", "center_crop=32,uint8,hwc"], stdout=subprocess.PIPE, text=True)
seen = {}
for line in process.stdout:
    if line.startswith("epoch ") and len(seen) < epochs:  # one more keeps the process there
        number = int(line.split()[1].rstrip(":"))
        status = dict(l.split(":", 1) for l in open(f"/proc/{process.pid}/status"))
        seen[number] = (int(status["VmRSS"].split()[0]), len(os.listdir(f"/proc/{process.pid}/fd")),
                        int(status["Threads"]))
        if number == 4 or (number + 1) % max(1, epochs // 10) == 0:
            print("epoch %4d: %7d KiB resident, %3d descriptors, %3d threads" % (number, *seen[number]))
code = process.wait()
first, last = seen[min(4, epochs - 1)][0], seen[epochs - 1][0]
print("grown by %.1f %% since the fifth epoch" % (100.0 * last / first - 100))
sys.exit(code or (1 if last > 1.05 * first else 0))
PY
