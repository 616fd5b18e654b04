# SPDX-License-Identifier: Apache-2.0
"""Commands of the command line as functions that return what they found."""

import contextlib
import dataclasses
import json
import subprocess

from headrace import _engine, _options
from headrace._wire import BadRequest, HeadraceError

DONE, USAGE, BAD_DATA = 0, 2, 3  # exit codes


@dataclasses.dataclass(frozen=True)
class Report:
    """What a command found.

    sound: False if it found bad data, which it left out or says in its faults
    document: all that `--json` prints
    warnings: what is odd about the dataset, but costs no sample
    """

    sound: bool = dataclasses.field(kw_only=True)
    document: dict = dataclasses.field(kw_only=True, repr=False)
    warnings: list = dataclasses.field(kw_only=True, repr=False)


@dataclasses.dataclass(frozen=True)
class Inspection(Report):
    """A dataset: counts, by class and by format, bytes, and files that are broken."""

    samples: int
    stored_bytes: int
    classes: dict
    formats: dict
    broken: list


@dataclasses.dataclass(frozen=True)
class Verification(Report):
    """Samples that were checked, and what is wrong with them."""

    samples: int
    unlabelled: int
    shards: int
    faults: list
    set_digest: str


@dataclasses.dataclass(frozen=True)
class Conversion(Report):
    """Samples written and skipped, and bytes before and after."""

    written: int
    skipped: list
    bytes_in: int
    bytes_out: int
    shards: int
    seconds: float
    set_digest: str


@dataclasses.dataclass(frozen=True)
class Difference(Report):
    """Samples that two datasets share, and those that differ."""

    in_both: int
    same_bytes: int
    same_pixels: int
    same_labels: int
    only_first: list
    only_second: list
    other_pixels: list
    other_labels: list


@dataclasses.dataclass(frozen=True)
class Tuning(Report):
    """Which representation would be loaded how fast, and which to pick.

    samples, sampled: of the dataset, and those each candidate was measured on
    candidates, untried: what was measured of each, as in the plan; what was not, and why
    pick: its `name`, its `command`, how to `load` it, and what was `passed_over`
    advice, conditions: why, and how far the figures can be trusted, in words
    spread: the largest difference between repeats, as a share of the median
    """

    samples: int
    sampled: int
    candidates: list = dataclasses.field(repr=False)
    untried: list = dataclasses.field(repr=False)
    pick: dict = dataclasses.field(repr=False)
    advice: str
    spread: float
    conditions: str = dataclasses.field(repr=False)


def _run(kind, command, *datasets, **options):
    with contextlib.closing(_options.Listed()) as files:
        if options.get("subset") is not None:
            subset = _options.listed("subset", options["subset"], files, "random:")
            options["subset"] = _options.words({"subset": subset})[0].partition("=")[2]
        return _ran(kind, command, *datasets, **options)


def _ran(kind, command, *datasets, headrace=None, **options):
    words = [*_engine.find(headrace), command, *map(_engine.dataset, datasets), "--json"]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)):
            words += ["%s=%s" % (option, one) for one in value]
        elif value is not None and value is not False:
            words.append("%s=%s" % (option, value))
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (DONE, BAD_DATA) or not done.stdout.strip():
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        said = lines[0] if lines and done.returncode == USAGE else "\n".join(lines[-3:])
        said = said.removeprefix("headrace %s: " % command)
        error = BadRequest if done.returncode == USAGE else HeadraceError
        raise error(said or "headrace %s: exit status %d" % (command, done.returncode))
    document = json.loads(done.stdout)
    names = {f.name for f in dataclasses.fields(kind)} - {"sound", "document", "warnings"}
    return kind(
        **{name: document[name] for name in names},
        sound=done.returncode == DONE,
        document=document,
        warnings=document.get("warnings", []),
    )


def inspect(dataset, **options):
    """What is in a dataset, as `headrace inspect`; deep=True decodes every picture."""
    return _run(Inspection, "inspect", dataset, **options)


def verify(dataset, **options):
    """Checks every sample of a dataset, as `headrace verify`; deep=True decodes every picture."""
    return _run(Verification, "verify", dataset, **options)


def convert(dataset, target, **options):
    """Rewrites a dataset, as `headrace convert`, such as format="race", encoding="jpeg:85".

    subset: as for `Loader`, but an amount alone, such as "30%", is of each class by name
    """
    return _run(Conversion, "convert", dataset, target, **options)


def tune(dataset, *, out="plan.json", **options):
    """Finds the representation that is loaded fastest, as `headrace tune`, and writes the plan.

    Such as consumer="resnet50", cores=8, candidate=["race none jpeg:75"]; `convert(…, plan=out)`
    follows the plan.
    """
    return _run(Tuning, "tune", dataset, out=out, **options)


def diff(first, second, **options):
    """Compares two datasets, as `headrace diff`."""
    return _run(Difference, "diff", first, second, **options)
