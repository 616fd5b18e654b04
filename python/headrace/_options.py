# SPDX-License-Identifier: Apache-2.0
"""Arguments of `Loader` as options of `headrace serve`: a line of OPTIONS for each."""

import decimal
import difflib
import operator
import os

from headrace._wire import BadRequest

INT = 2**31 - 1  # most of the engine's numbers


class Option:
    """One argument: the values it takes, and the option of the engine."""

    def __init__(self, told, expected):
        self._told, self._expected = told, expected

    def words(self, name, value):
        told = self._told(name, value)
        if told is None:
            number = self._expected.startswith("a whole number") and _whole(value) is not None
            kind = BadRequest if number else TypeError
            raise kind("%s=%r: expected %s" % (name, value, self._expected))
        return told


def _whole(value):
    """A number of any integer type, or None: `True` is not a number."""
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _bool(value):
    """True, False, or None for anything else. NumPy has its own."""
    return bool(value) if type(value).__name__ in ("bool", "bool_") else None


def _long(name):
    return "--" + name.replace("_", "-")


def whole(least, most=INT, option=None):
    def told(name, value):
        number = _whole(value)
        if number is not None and least <= number <= most:
            return ["%s=%d" % (option or _long(name), number)]

    return Option(told, "a whole number of %d to %d" % (least, most))


def _seed(name, value):
    number = _whole(value)
    if number is not None and -(2**63) <= number < 2**64:
        # The engine's are signed: those of torch.seed() above that are the same 64 bits.
        return ["--seed=%d" % (number - 2**64 if number >= 2**63 else number)]


def flag(on, off=None):
    """True or False. Without `off`, False is what the engine does anyway."""

    def told(_, value):
        given = _bool(value)
        if given is not None:
            return [on] if given else [off] if off else []

    return Option(told, "True or False")


def _text(name, value):
    if isinstance(value, str):
        return ["%s=%s" % (_long(name), value)]


def _text_or_number(name, value):
    number = _whole(value)
    return _text(name, value if number is None else str(number))


def _path(name, value):
    if isinstance(value, (str, bytes, os.PathLike)):
        return ["%s=%s" % (_long(name), os.fsdecode(value))]


def _rank(name, value):
    if isinstance(value, (tuple, list)) and len(value) == 2:
        pair = [_whole(v) for v in value]
        return None if None in pair else ["--rank=%d/%d" % tuple(pair)]
    return _text(name, value)


def _workers(name, value):
    number = _whole(value)
    if number is not None and 0 <= number <= 4096:
        return ["--threads=%d" % max(1, number)]


def _features(name, value):
    if isinstance(value, dict) and all(isinstance(w, str) for pair in value.items() for w in pair):
        return ["--features=" + ",".join("%s=%s" % pair for pair in value.items())]
    return _text(name, value)


def _fields(name, value):
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, str) for v in value):
        return ["--fields=" + ",".join(value)]
    return _text(name, value)


class Listed:
    """Lists in files without names, which the engine reads while this is open."""

    def __init__(self):
        self._descriptors = []

    def path(self, name, values):
        lines = [str(value) for value in values]
        if any("\n" in line for line in lines):
            raise BadRequest("%s=: a line break in a key" % name)
        descriptor = os.memfd_create("headrace-" + name, os.MFD_CLOEXEC)
        self._descriptors.append(descriptor)
        with open(descriptor, "w", encoding="utf-8", closefd=False) as file:
            file.write("".join(line + "\n" for line in lines))
        return "/proc/%d/fd/%d" % (os.getpid(), descriptor)

    def close(self):
        while self._descriptors:
            os.close(self._descriptors.pop())


def _values(value):
    """The values of a list, an array or a tensor; None for anything else."""
    if hasattr(value, "tolist") and not isinstance(value, (str, bytes)):
        value = value.tolist()
    return list(value) if isinstance(value, (list, tuple, range)) else None


def _number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def listed(name, value, files, share=""):
    """An argument that may be a list, as the text that the engine takes in its place.

    A share is written as it is typed, after `share`.

    >>> listed("subset", 0.07, None, "random:")
    'random:7.00%'
    """
    values = _values(value)
    if name == "weights" and values is not None and all(map(_number, values)):
        return files.path(name, map(repr, values))
    if name == "subset" and values is not None:
        if all(_whole(v) is not None for v in values):
            return "numbers:" + files.path(name, values)
        if all(isinstance(v, str) for v in values):
            return "keys:" + files.path(name, values)
    if name == "subset" and isinstance(value, float):
        return "%s%s%%" % (share, format(100 * decimal.Decimal(repr(float(value))), "f"))
    return value


TEXT = Option(_text, "a text")
TEXT_OR_NUMBER = Option(_text_or_number, "a text or a whole number")
PATH = Option(_path, "a path")

OPTIONS = {
    "batch": whole(1),
    "threads": whole(1, 4096),
    "readers": whole(1, 4096),
    "io_depth": whole(1, 4096),
    "prefetch": whole(2),
    "window": whole(1),
    "order": TEXT,
    "subset": Option(_text, "a share such as 0.1, a list of numbers or of keys, or a text such as 'first:10%'"),
    "weights": Option(_text, "a list of numbers, 'balanced', or the name of a file"),
    "epoch_samples": whole(1),
    "cache": TEXT,
    "fields": Option(_fields, "a list of names, or a text with commas between them"),
    "seed": Option(_seed, "a whole number of 64 bits, with or without a sign"),
    "on_error": TEXT,
    "max_bad": TEXT_OR_NUMBER,
    "ranks_tail": TEXT,
    "last_batch": TEXT,
    "mix": TEXT,
    "fidelity": TEXT_OR_NUMBER,
    "regimen": PATH,
    "memory_budget": TEXT_OR_NUMBER,
    "fast": flag("--fast", "--exact"),
    "exact": flag("--exact", "--fast"),
    "apply_orientation": flag("--apply-orientation"),
    "split": TEXT,
    "classes": PATH,
    "features": Option(_features, "a dict of texts, or a text such as 'image=img,label=target'"),
    "pair": TEXT,
    "folders_are_classes": flag("--folders-are-classes"),
    "pipeline": TEXT,
    "plan": PATH,
    "rank": Option(_rank, "a text such as '0/4', or a pair of numbers"),
    "store": TEXT,
    "cold": flag("--cold"),
    "shm": PATH,
    "digest": flag("--digest"),
}

# What torch.utils.data.DataLoader calls them: there None is a value, and does not mean "not given".
TORCH = {
    "batch_size": ("batch", whole(1, option="--batch")),
    "num_workers": ("threads", Option(_workers, "a whole number of 0 to 4096")),
    "shuffle": ("order", flag("--order=full", "--order=sequential")),
    "drop_last": ("last_batch", flag("--last-batch=drop", "--last-batch=partial")),
}

# Arguments of DataLoader that have no counterpart, and what there is instead.
INSTEAD = {
    "sampler": "order= says how samples are ordered, subset= and weights= which come, and how often",
    "batch_sampler": "order= says how samples are ordered, and batch= how many make a batch",
    "collate_fn": "batches come collated",
    "prefetch_factor": "prefetch= is the number of batches in memory",
    "generator": "seed= decides order and random steps",
    "persistent_workers": "the engine stays for all epochs",
    "worker_init_fn": "no Python runs in the engine",
    "multiprocessing_context": "the engine is not a Python process",
}


def words(given, files=None):
    """The engine's options for keyword arguments. None stands for an option that is not given.

    >>> words({"batch_size": 8, "seed": 2**64 - 1, "rank": (0, 4), "exact": False, "cache": None})
    ['--batch=8', '--seed=-1', '--rank=0/4', '--fast']
    """
    told, files = [], files or Listed()
    for name, value in given.items():
        if name in ("subset", "weights"):
            value = listed(name, value, files)
        if name in TORCH:
            same, option = TORCH[name]
            if given.get(same) is not None:
                raise TypeError("%s and %s are the same: expected one of them" % (name, same))
            told += option.words(name, value)
        elif name in OPTIONS:
            if value is not None:
                told += OPTIONS[name].words(name, value)
        else:
            raise TypeError("Loader has no option '%s'%s" % (name, _instead(name)))
    return told


def _instead(name):
    if name in INSTEAD:
        return ": " + INSTEAD[name]
    known = [*OPTIONS, *TORCH, "pin_memory", "zero_copy", "socket", "headrace", "state", "epoch", "join"]
    known += ["transform", "transform_workers", "device", "behind", "sources"]
    known += ["servers", "token", "tls_roots"]
    near = difflib.get_close_matches(name, known, 1)
    return ": did you mean '%s'?" % near[0] if near else ": docs/python.md lists those there are"


def wants(words):
    """What a shared engine is asked for, of the options for seed and rank.

    >>> wants(["--seed=7", "--rank=0/4"])
    {'seed': 7, 'rank': 0, 'world': 4}
    """
    asked = {}
    for name, _, value in (word.partition("=") for word in words):
        try:
            if name == "--seed":
                asked["seed"] = int(value)
            else:
                rank, world = value.split("/")
                asked.update(rank=int(rank), world=int(world))
        except ValueError:
            raise BadRequest("rank=%r: expected a text such as '0/4'" % value) from None
    return asked


def one_of(name, value, texts):
    if value not in texts:
        raise BadRequest("%s=%r: expected %s" % (name, value, " or ".join(map(repr, texts))))
    return value


def natural(name, value):
    """A number of an epoch, or of epochs."""
    number = _whole(value)
    if number is None:
        raise TypeError("%s=%r: expected a whole number" % (name, value))
    if not 0 <= number < 2**63:
        raise ValueError("%s=%d: expected 0 or more" % (name, number))
    return number


def boolean(name, value, more=""):
    given = _bool(value)
    if given is None:
        raise TypeError("%s=%r: expected True or False%s" % (name, value, more))
    return given
