"""Compares what `headrace.diagnose` says of a PyTorch DataLoader with what py-spy sees of it.

    python peers_diagnose.py PHOTOS

runs a small training script in four ways whose bottlenecks differ: pictures decoded by workers, by
the training process itself, samples from a store that is waited for, and a trainer that is slow.
py-spy looks at the stacks of the running script and its workers; the diagnosis gets the same script.
Ends with 0 if both name the same bottleneck in all four. Needs torch, Pillow and py-spy.
"""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = '''
import sys, time
from pathlib import Path
import numpy, torch
from PIL import Image

WAY, PHOTOS = {way!r}, sorted(Path({photos!r}).rglob("*.jpg"))

class Photos(torch.utils.data.Dataset):
    def __len__(self):
        return 4 * len(PHOTOS)

    def __getitem__(self, index):
        if WAY == "store":
            wait_for_store()
            return torch.zeros(3, 8, 8)
        if WAY == "trainer":
            return torch.zeros(3, 8, 8)
        return decode_photo(PHOTOS[index % len(PHOTOS)])

def wait_for_store():
    time.sleep(0.02)

def decode_photo(path):
    image = Image.open(path).convert("RGB").resize((224, 224))
    return torch.from_numpy(numpy.asarray(image).copy()).permute(2, 0, 1)

def train_step(batch):
    time.sleep(len(batch) / {rate})

loader = torch.utils.data.DataLoader(
    Photos(), batch_size=16, num_workers=0 if WAY == "main" else 2, persistent_workers=WAY != "main")

if __name__ == "__main__":
    torch.set_num_threads(1)
    begun = False
    while True:
        for batch in loader:
            train_step(batch)
            if not begun:
                print("begun", flush=True)  # workers have started
            begun = True
'''

# Way, rate of the trainer in samples a second, what both have to say.
WAYS = [
    ("workers", 20000, "prep"),
    ("main", 20000, "prep"),
    ("store", 20000, "other"),
    ("trainer", 200, "none"),
]

TRAINS = 0.8
"""Share of its time that a trainer works at least, if it is its own bottleneck."""


def stacks(script: Path, seconds: int) -> collections.Counter[str]:
    """Stacks of all threads of a running script, idle ones too, with how often each was seen."""
    with tempfile.TemporaryDirectory() as folder:
        running = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE)
        try:
            running.stdout.readline()
            out = Path(folder) / "stacks"
            command = ["py-spy", "record", "--pid", str(running.pid), "--subprocesses", "--idle"]
            command += ["--nonblocking"]  # else it holds up what it looks at
            command += ["--format", "raw", "--rate", "50", "--duration", str(seconds)]
            subprocess.run(command + ["--output", str(out)], check=True, capture_output=True)
            seen: collections.Counter[str] = collections.Counter()
            for line in out.read_text().splitlines():
                stack, _, count = line.rpartition(" ")
                seen[stack] += int(count)
            return seen
        finally:
            running.kill()
            running.wait()


def spied(seen: collections.Counter[str]) -> tuple[str, str]:
    """The bottleneck that stacks tell, and the shares it rests on."""

    def count(*functions: str) -> int:
        return sum(n for stack, n in seen.items() if any(f"{f} (" in stack for f in functions))

    training, decoding, waiting = count("train_step"), count("decode_photo"), count("wait_for_store")
    loop = sum(n for s, n in seen.items() if "<module>" in s and "_worker_loop" not in s)
    words = f"train_step {training / loop:.0%} of the loop, decode {decoding}, store {waiting} looks"
    if training > TRAINS * loop:
        return "none", words
    return ("prep" if decoding > waiting else "other"), words


def main() -> int:
    photos = str(Path(sys.argv[1]).resolve())
    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).resolve().parents[1]))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for way, rate, wanted in WAYS:
            script = Path(folder) / f"{way}.py"
            script.write_text(SCRIPT.format(way=way, photos=photos, rate=rate))
            look, words = spied(stacks(script, 3))
            command = [sys.executable, "-m", "headrace.diagnose", str(script), "--json"]
            said = subprocess.run(
                command + ["--consumer", f"{rate}/s", "--seconds", "4"],
                check=True, capture_output=True, env=environment)
            found = json.loads(said.stdout)
            short = found["work_share"] > TRAINS  # what it waits for then is not worth a name
            diagnosed = "none" if short else found["bottleneck"]
            same = look == diagnosed == wanted
            wrong += not same
            print(f"{'same' if same else 'DIFFERENT'}  {way}: py-spy {look} ({words}); diagnose "
                  f"{diagnosed}, training {found['work_share']:.0%}; expected {wanted}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
