# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of headrace by itself, so that nothing is fetched and the tree stays clean.

A build backend (PEP 517, PEP 660). Of `pip install ./python` it makes a wheel of Python alone, for
an engine that is elsewhere. With the environment variables HEADRACE_ENGINE (a folder made by
scripts/wheel.sh) and HEADRACE_GLIBC (such as 2.34) the wheel has the engine in it.
"""

import atexit
import base64
import hashlib
import importlib.util
import io
import os
import re
import stat
import tarfile
import zipfile

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TIME = (2026, 1, 1, 0, 0, 0)  # the same files, the same wheel


def _clean():
    """Takes away what Python left beside this file when it was imported."""
    for path in (importlib.util.cache_from_source(__file__),):
        try:
            os.unlink(path)
            os.rmdir(os.path.dirname(path))
        except OSError:
            pass


atexit.register(_clean)


def _read(*names):
    with open(os.path.join(HERE, *names), encoding="utf-8") as file:
        return file.read()


def _version():
    return re.search(r'^__version__ = "(.*)"', _read("headrace", "__init__.py"), re.M)[1]


def _metadata():
    lines = [
        "Metadata-Version: 2.3",
        "Name: headrace",
        "Version: " + _version(),
        "Summary: Keeps deep-learning trainers fed: the headrace command, and its batches in Python",
        "License-Expression: Apache-2.0",
        "Requires-Python: >=3.10",
        "Requires-Dist: numpy>=1.23",
        'Requires-Dist: torch>=2.0; extra == "torch"',
        "Provides-Extra: torch",
        "Classifier: Operating System :: POSIX :: Linux",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
        "",
        _read("README.md"),
    ]
    return "\n".join(lines)


ENTRY_POINTS = "[console_scripts]\nheadrace = headrace.__main__:main\n"


def _sources(folder):
    """Files of the package as (name in the wheel, path)."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        for name in sorted(files):
            path = os.path.join(place, name)
            if not name.endswith(".pyc"):
                yield os.path.relpath(path, os.path.dirname(folder)), path


class _Wheel:
    def __init__(self, directory, tag):
        self.name = "headrace-%s-%s.whl" % (_version(), tag)
        self._tag, self._rows = tag, []
        self._info = "headrace-%s.dist-info" % _version()
        self._zip = zipfile.ZipFile(
            os.path.join(directory, self.name), "w", zipfile.ZIP_DEFLATED, compresslevel=9
        )

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, TIME)
        entry.external_attr = (stat.S_IFREG | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._rows.append("%s,sha256=%s,%d" % (name, digest, len(content)))

    def copy(self, name, path):
        with open(path, "rb") as file:
            mode = 0o755 if os.stat(path).st_mode & 0o100 else 0o644
            self.add(name.replace(os.sep, "/"), file.read(), mode)

    def finish(self):
        pure = "true" if self._tag.endswith("-any") else "false"
        self.add(self._info + "/METADATA", _metadata().encode())
        self.add(self._info + "/entry_points.txt", ENTRY_POINTS.encode())
        wheel = "Wheel-Version: 1.0\nGenerator: headrace_build\nRoot-Is-Purelib: %s\nTag: %s\n"
        self.add(self._info + "/WHEEL", (wheel % (pure, self._tag)).encode())
        record = self._info + "/RECORD"
        rows = "\n".join([*self._rows, record + ",,", ""])
        self.add(record, rows.encode())
        self._zip.close()
        return self.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    engine = os.environ.get("HEADRACE_ENGINE")
    tag = "py3-none-any"
    if engine:
        glibc = os.environ["HEADRACE_GLIBC"].replace(".", "_")
        tag = "py3-none-manylinux_%s_x86_64" % glibc
    wheel = _Wheel(wheel_directory, tag)
    for name, path in _sources(os.path.join(HERE, "headrace")):
        wheel.copy(name, path)
    if engine:
        for name, path in _sources(engine):
            name = name.split(os.sep, 1)[1]
            if name.startswith("share/"):  # to where the system looks
                name = "headrace-%s.data/data/%s" % (_version(), name)
            else:
                name = "headrace/engine/" + name
            wheel.copy(name, path)
    return wheel.finish()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    wheel = _Wheel(wheel_directory, "py3-none-any")
    wheel.add("headrace.pth", (HERE + "\n").encode())
    return wheel.finish()


def build_sdist(sdist_directory, config_settings=None):
    base = "headrace-" + _version()
    name = base + ".tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        for part in ("headrace", "tools/headrace_build.py", "pyproject.toml", "README.md"):
            archive.add(
                os.path.join(HERE, part),
                base + "/" + part,
                filter=lambda info: None if "__pycache__" in info.name else info,
            )
        entry = tarfile.TarInfo(base + "/PKG-INFO")
        content = _metadata().encode()
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel
