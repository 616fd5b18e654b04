#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the golden results of bilinear, antialiased resizing in this folder.

    python make_goldens.py pillow              # the sources and the results of Pillow 13
    python make_goldens.py pillow-before-13    # where an older Pillow gives other pixels
    python make_goldens.py torchvision         # torchvision's results for the same cases
    python make_goldens.py TOOL --check        # change nothing, compare the pixels

The three may live in different environments: each run replaces its own entries in
goldens.json and keeps the others'. Run pillow first, it writes the sources.

Every image is uint8, height x width x channels, rows from the top, channels innermost,
without a header, each in a gzip file of its own. Sources are made with integer
arithmetic only, so they are the same everywhere.

What is computed, for a source, an optional box (x0, y0, x1, y1) and a target size:

  pillow       box null:       image.resize((w, h), BILINEAR)
               box_mode crop:  image.crop(box).resize((w, h), BILINEAR)
               box_mode box:   image.resize((w, h), BILINEAR, box=box)
               The last two differ near the edges of the box: with box=, the filter also
               reads pixels outside of the box, where the image has any.
  torchvision  box null:       resize(image, [h, w], BILINEAR, antialias=True)
               box_mode crop:  resize(crop(image, ...), [h, w], BILINEAR, antialias=True)
               on a uint8 tensor on the CPU.

Pillow resizes in one direction and then, from rounded bytes, in the other. Before
version 13 horizontally first, always. Since then vertically first where
H - h > 0 and H - h > 2 * (W - w), for an image of W x H (with box=, the whole image)
and a target of w x h. "pass_order" says which it was.
"""

import argparse
import gzip
import hashlib
import json
import pathlib
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
MASK64 = (1 << 64) - 1


# ---------------------------------------------------------------------------------------
# Sources: name -> uint8 array of height x width x channels
# ---------------------------------------------------------------------------------------


class Lcg:
    """state = state * 6364136223846793005 + 1442695040888963407 mod 2^64; state >>> 33."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK64
        return self.state >> 33

    def below(self, bound):
        return self.next() % bound


def gradient_noise(width, height, channels, seed):
    """Each channel a gradient in its own direction, plus noise of +-4."""
    lcg = Lcg(seed)
    image = numpy.empty((height, width, channels), numpy.uint8)
    for y in range(height):
        for x in range(width):
            across = 255 * x // max(width - 1, 1)
            down = 255 * y // max(height - 1, 1)
            for c, value in enumerate((across, down, (across + 255 - down) // 2)[:channels]):
                image[y, x, c] = min(255, max(0, value + lcg.below(9) - 4))
    return image


def value_noise(width, height, cell, lcg):
    """Smooth noise in 0..65535: random values `cell` apart, linear in between."""
    columns, rows = width // cell + 2, height // cell + 2
    lattice = numpy.array(
        [[lcg.below(65536) for _ in range(columns)] for _ in range(rows)], numpy.int64
    )
    x, y = numpy.arange(width), numpy.arange(height)[:, None]
    x0, fx, y0, fy = x // cell, x % cell, y // cell, y % cell
    top = lattice[y0, x0] * (cell - fx) + lattice[y0, x0 + 1] * fx
    bottom = lattice[y0 + 1, x0] * (cell - fx) + lattice[y0 + 1, x0 + 1] * fx
    return (top * (cell - fy) + bottom * fy) // (cell * cell)


def natural(width, height, seed):
    """Like a photograph: smooth shapes of several sizes, some texture, hard edges."""
    lcg = Lcg(seed)
    shade = sum(
        value_noise(width, height, cell, lcg) * weight
        for cell, weight in ((120, 8), (50, 4), (20, 2), (8, 1))
    ) // 15
    channels = []
    for c in range(3):
        tint = value_noise(width, height, 90, lcg)
        channels.append((3 * shade + tint) // 4 * 255 // 65535)
    image = numpy.stack(channels, axis=2)
    y, x = numpy.mgrid[0:height, 0:width]
    disc = (x - 290) ** 2 + (y - 90) ** 2 < 60**2
    image[disc] = 255 - image[disc]
    bars = (y > 200) & (x < 150) & (x // 3 % 2 == 0)  # a fine pattern, to be filtered away
    image[bars] = (250, 240, 20)
    return image.astype(numpy.uint8)


def binary(width, height, channels, seed):
    """Only 0 and 255, at random: the most that rounding can be tried."""
    lcg = Lcg(seed)
    values = [255 * (lcg.next() >> 8 & 1) for _ in range(width * height * channels)]
    return numpy.array(values, numpy.uint8).reshape(height, width, channels)


def sources():
    return {
        "gradient-61x45": gradient_noise(61, 45, 3, seed=1),
        "natural-400x300": natural(400, 300, seed=2),
        "small-17x5": gradient_noise(17, 5, 3, seed=3),
        "pixel-1x1": numpy.array([[[200, 17, 255]]], numpy.uint8),
        "tall-8x200": gradient_noise(8, 200, 3, seed=4),
        "grey-40x30": gradient_noise(40, 30, 1, seed=5),
        "binary-64x48": binary(64, 48, 3, seed=6),
    }


# source, box or None, targets as (width, height)
CASES = [
    # 61x45 and 17x60 and so on leave one direction, or both, as they are.
    ("gradient-61x45", None,
     [(224, 224), (16, 16), (33, 70), (1, 1), (61, 45), (61, 20), (30, 45), (61, 90), (100, 45)]),
    ("gradient-61x45", (10, 7, 50, 40), [(32, 32), (40, 33), (80, 50), (1, 1)]),
    ("gradient-61x45", (0, 0, 30, 45), [(20, 15)]),
    ("gradient-61x45", (20, 10, 61, 45), [(80, 60), (7, 9)]),
    ("gradient-61x45", (5, 6, 6, 7), [(8, 8)]),
    ("natural-400x300", None, [(224, 224), (16, 16), (33, 70), (1, 1), (256, 170)]),
    ("natural-400x300", (37, 21, 337, 271), [(160, 160), (16, 16)]),
    ("natural-400x300", (240, 40, 300, 90), [(96, 96)]),
    ("natural-400x300", (0, 0, 400, 150), [(33, 70)]),
    ("small-17x5", None, [(64, 48), (16, 16), (33, 70), (1, 1), (5, 17), (17, 4)]),
    ("small-17x5", (3, 1, 10, 4), [(16, 16), (2, 2)]),
    ("pixel-1x1", None, [(224, 224), (16, 16), (33, 70), (1, 1), (256, 170)]),
    ("tall-8x200", None, [(48, 48), (16, 16), (33, 70), (1, 1), (8, 17), (2, 300)]),
    ("tall-8x200", (2, 30, 7, 180), [(16, 16)]),
    ("grey-40x30", None, [(64, 48), (16, 16), (33, 70), (1, 1)]),
    ("grey-40x30", (11, 4, 31, 29), [(16, 16), (50, 50)]),
    ("binary-64x48", None, [(100, 75), (63, 47), (16, 16), (33, 70), (1, 1)]),
    ("binary-64x48", (9, 9, 41, 41), [(16, 16), (48, 48)]),
]


# ---------------------------------------------------------------------------------------
# Tools
# ---------------------------------------------------------------------------------------


class Pillow:
    name = "pillow"
    box_modes = ("crop", "box")

    def __init__(self):
        import PIL
        from PIL import Image

        self.image = Image
        self.version = PIL.__version__
        if self.is_own({"tool": self.name, "version": self.version}):
            return
        raise ImportError(f"this is Pillow {self.version}")

    @staticmethod
    def is_own(entry):
        return entry["tool"] == "pillow" and int(entry["version"].split(".")[0]) >= 13

    def pass_order(self, source_width, source_height, width, height):
        less_high, less_wide = source_height - height, source_width - width
        vertical = less_high > 0 and less_high > 2 * less_wide
        return "vertical-first" if vertical else "horizontal-first"

    def resize(self, array, box, box_mode, width, height):
        """The pixels, and the order of the passes where that is known."""
        bilinear = self.image.Resampling.BILINEAR
        source = self.image.fromarray(array[:, :, 0] if array.shape[2] == 1 else array)
        if box_mode == "crop":
            source = source.crop(box)
        order = self.pass_order(*source.size, width, height)
        result = source.resize((width, height), bilinear, box=box if box_mode == "box" else None)
        return numpy.asarray(result).reshape(height, width, array.shape[2]), order


class PillowBefore13(Pillow):
    @staticmethod
    def is_own(entry):
        return entry["tool"] == "pillow" and not Pillow.is_own(entry)

    def pass_order(self, *sizes):
        return "horizontal-first"


class Torchvision:
    name = "torchvision"
    box_modes = ("crop",)

    def __init__(self):
        import torch
        import torchvision
        from torchvision.transforms import functional

        torch.set_num_threads(1)
        self.torch, self.functional = torch, functional
        self.version = f"{torchvision.__version__} (torch {torch.__version__})"

    @staticmethod
    def is_own(entry):
        return entry["tool"] == "torchvision"

    def resize(self, array, box, box_mode, width, height):
        tensor = self.torch.from_numpy(array).permute(2, 0, 1).contiguous()
        if box is not None:
            x0, y0, x1, y1 = box
            tensor = self.functional.crop(tensor, y0, x0, y1 - y0, x1 - x0)
        result = self.functional.resize(
            tensor,
            [height, width],
            self.functional.InterpolationMode.BILINEAR,
            antialias=True,
        )
        assert result.dtype == self.torch.uint8
        return result.permute(1, 2, 0).contiguous().numpy(), None


TOOLS = {"pillow": Pillow, "pillow-before-13": PillowBefore13, "torchvision": Torchvision}


# ---------------------------------------------------------------------------------------


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def goldens(key, tool, images, index):
    """(entry, raw bytes) for every case; of the older Pillow, only where it differs."""
    newer = {
        entry["name"]: entry["sha256"] for entry in index["goldens"] if Pillow.is_own(entry)
    }
    for source, box, targets in CASES:
        image = images[source]
        for width, height in targets:
            for box_mode in (None,) if box is None else tool.box_modes:
                name = f"{source}-to-{width}x{height}"
                if box is not None:
                    name += f"-{box_mode}-" + "-".join(map(str, box))
                pixels, order = tool.resize(image, box, box_mode, width, height)
                if pixels.shape != (height, width, image.shape[2]):
                    raise SystemExit(f"{name}: {tool.name} gives shape {pixels.shape}")
                data = pixels.tobytes()
                if key == "pillow-before-13" and newer.get(f"{name}-pillow") == sha256(data):
                    continue
                entry = {
                    "name": f"{name}-{key}",
                    "source": source,
                    "source_shape": list(image.shape),
                    "box": None if box is None else list(box),
                    "box_mode": box_mode,
                    "target_h": height,
                    "target_w": width,
                    "tool": tool.name,
                    "version": tool.version,
                    "pass_order": order,
                    "file": f"{name}-{key}.bin.gz",
                    "sha256": sha256(data),
                }
                yield entry, data


def write_raw(name, data):
    with open(HERE / name, "wb") as file:
        with gzip.GzipFile("", "wb", 9, file, mtime=0) as compressed:
            compressed.write(data)


def read_raw(name):
    with gzip.open(HERE / name) as file:
        return file.read()


def read_index():
    try:
        return json.loads((HERE / "goldens.json").read_text(encoding="ascii"))
    except FileNotFoundError:
        return {"sources": [], "goldens": []}


def write_index(index):
    """JSON with one line for each source and each golden."""
    parts = []
    for key in ("sources", "goldens"):
        lines = ",\n".join("  " + json.dumps(entry) for entry in index[key])
        parts.append(f" {json.dumps(key)}: [\n{lines}\n ]")
    (HERE / "goldens.json").write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="ascii")


def make(key, tool, images):
    index = read_index()
    if key == "pillow":
        index["sources"] = []
        for name, image in images.items():
            data = image.tobytes()
            entry = {"name": name, "shape": list(image.shape), "file": f"{name}.bin.gz",
                     "sha256": sha256(data)}
            index["sources"].append(entry)
            write_raw(entry["file"], data)
    elif [s["sha256"] for s in index["sources"]] != [sha256(i.tobytes()) for i in images.values()]:
        raise SystemExit("The sources here are missing or other ones: run with pillow first.")

    others = [entry for entry in index["goldens"] if not tool.is_own(entry)]
    mine = []
    # Equal pixels are kept once: an entry may name the file of a source or of another
    # entry. Files of the sources and of Pillow come first.
    files = {entry["sha256"]: entry["file"] for entry in index["sources"]}
    if key != "pillow":
        files |= {entry["sha256"]: entry["file"] for entry in others if Pillow.is_own(entry)}
    for entry, data in goldens(key, tool, images, index):
        if entry["sha256"] in files:
            entry["file"] = files[entry["sha256"]]
        else:
            files[entry["sha256"]] = entry["file"]
            write_raw(entry["file"], data)
        mine.append(entry)
    rank = [own.is_own for own in TOOLS.values()]
    index["goldens"] = sorted(
        mine + others, key=lambda entry: [is_own(entry) for is_own in rank].index(True)
    )
    write_index(index)
    used = {entry["file"] for part in ("sources", "goldens") for entry in index[part]}
    for path in HERE.glob("*.bin.gz"):
        if path.name not in used:
            path.unlink()
    if missing := [file for file in used if not (HERE / file).is_file()]:
        print(f"{len(missing)} files of the other tools are gone: run those too.")
    print(f"{len(mine)} results of {tool.name} {tool.version}")


def check(key, tool, images):
    index = read_index()
    bad = 0
    here = {entry["name"]: entry for entry in index["goldens"] if tool.is_own(entry)}
    for entry in index["sources"]:
        image = images.get(entry["name"])
        if image is None or read_raw(entry["file"]) != image.tobytes():
            print(f"{entry['name']}: the source differs", file=sys.stderr)
            bad += 1
    made = 0
    for entry, data in goldens(key, tool, images, index):
        made += 1
        golden = here.pop(entry["name"], None)
        if golden is None or golden["sha256"] != entry["sha256"]:
            print(f"{entry['name']}: differs", file=sys.stderr)
            bad += 1
        elif read_raw(golden["file"]) != data:
            print(f"{entry['name']}: its file differs from goldens.json", file=sys.stderr)
            bad += 1
    for name in here:
        print(f"{name}: no longer made", file=sys.stderr)
        bad += 1
    print(f"{made} results of {tool.name} {tool.version}, {bad} differences")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(
        description="Writes the golden results of resizing beside this script."
    )
    parser.add_argument("tool", choices=list(TOOLS))
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if different")
    arguments = parser.parse_args()
    try:
        tool = TOOLS[arguments.tool]()
    except ImportError as error:
        print(f"{arguments.tool} is not here: {error}", file=sys.stderr)
        return 2
    images = sources()
    if arguments.check:
        return check(arguments.tool, tool, images)
    make(arguments.tool, tool, images)
    return 0


if __name__ == "__main__":
    sys.exit(main())
