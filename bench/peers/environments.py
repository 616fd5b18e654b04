# SPDX-License-Identifier: Apache-2.0
"""A Python environment for each library, made the first time that it is needed."""

import glob
import hashlib
import os
import shutil
import subprocess
import sys

from contenders import BASES, HINTS, IMPORTS

HERE = os.path.dirname(os.path.abspath(__file__))


class Missing(Exception):
    """A library that cannot be installed here; the message is one line."""


def _read(path):
    """What the file holds; nothing if there is none."""
    try:
        with open(path) as file:
            return file.read()
    except FileNotFoundError:
        return ""


class Environments:
    """Environments below one folder. PEERS_NAME=PYTHON in the process's own takes another's."""

    def __init__(self, folder, pip_arguments=(), timeout=1800, log=print):
        self.folder, self.pip_arguments, self.timeout, self.log = (
            folder,
            list(pip_arguments),
            timeout,
            log,
        )
        self.found = {}

    def python(self, name):
        """The environment's Python, or Missing. Tried once a run."""
        if name is None:
            return sys.executable
        if name not in self.found:
            try:
                self.found[name] = self._python(name)
            except Missing as missing:
                self.found[name] = missing
        if isinstance(self.found[name], Missing):
            raise self.found[name]
        return self.found[name]

    def _python(self, name):
        given = os.environ.get("PEERS_" + name.upper())
        if given:
            self._import(given, name)
            return given
        base = BASES.get(name)
        if base:
            self.python(base)
        folder = os.path.join(self.folder, name)
        python = os.path.join(folder, "bin", "python")
        requirements = os.path.join(HERE, "envs", name + ".txt")
        with open(requirements, "rb") as file:
            wanted = hashlib.sha256(file.read()).hexdigest()
        mark = os.path.join(folder, "installed")
        if _read(mark) != wanted:
            missing = folder + ".missing"
            known, _, why = _read(missing).partition("\n")
            if known == wanted:
                raise Missing("%s (delete %s to try again)" % (why, os.path.relpath(missing)))
            try:
                self._make(name, folder, python, requirements)
            except Missing as error:
                with open(missing, "w") as file:
                    file.write("%s\n%s" % (wanted, error))
                raise
            with open(mark, "w") as file:
                file.write(wanted)
        self._import(python, name)
        return python

    def _make(self, name, folder, python, requirements):
        self.log("making an environment for %s in %s …" % (name, folder))
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(self.folder, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        if name in BASES:
            below = glob.glob(os.path.join(self.folder, BASES[name], "lib/python3*/site-packages"))
            site = glob.glob(os.path.join(folder, "lib/python3*/site-packages"))[0]
            with open(os.path.join(site, "peers-base.pth"), "w") as file:
                file.write("\n".join(below) + "\n")
        command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        command += ["--only-binary", ":all:", "-r", requirements, *self.pip_arguments]
        with open(folder + ".log", "w") as log:
            try:
                code = subprocess.run(command, stdout=log, stderr=log, timeout=self.timeout).returncode
            except subprocess.TimeoutExpired:
                code = None  # said below: it may be another day's luck
        if code is None:
            raise Missing("installing took more than %d s" % self.timeout)
        if code != 0:
            with open(folder + ".log") as log:
                lines = [line.strip() for line in log if line.startswith("ERROR")]
            raise Missing("no wheel to install: %s" % (lines or ["see %s.log" % folder])[-1])

    def _import(self, python, name):
        try:
            done = subprocess.run(
                [python, "-c", "import " + IMPORTS[name]],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                timeout=300,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Missing("%s does not run: %s" % (python, error)) from None
        if done.returncode != 0:
            said = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise Missing("does not import: %s" % HINTS.get(name, said[:160]))
