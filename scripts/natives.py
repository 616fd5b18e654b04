#!/usr/bin/env python3
"""Copies the C libraries that the engine uses, and what those need, into a folder of their own.

    headrace doctor --json | scripts/natives.py OUT [FOLDER...]

For Debian and Ubuntu, whose packages say under which licence a file is. Writes to OUT:

    *.so.*        each library under the name that others ask for
    needs.tsv     what io.headrace.natives.NativeFolder loads before each library
    SOURCES.tsv   library, package, version, source package and its version
    licences/     a file for each package, and the texts that it refers to

The libraries of C and C++ are never copied: every system has them (PEP 600). Prints the newest
version of the GNU C library that anything in OUT, or in a FOLDER of further programs, asks for:
such as 2.34.
"""

import json
import os
import re
import shutil
import subprocess
import sys

SYSTEM = re.compile(
    r"^(lib(c|m|dl|rt|pthread|util|resolv|mvec|stdc\+\+|gcc_s)\.so\.\d|ld-linux.*|linux-vdso.*)"
)


def words_of(*command):
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(
        command, check=True, capture_output=True, text=True, env=environment
    ).stdout


def dynamic(file):
    """The names that a library or program asks for, its own, and its versions of the C library."""
    said = words_of("objdump", "-p", file)
    needed = re.findall(r"^\s+NEEDED\s+(\S+)", said, re.M)
    own = re.findall(r"^\s+SONAME\s+(\S+)", said, re.M)
    versions = {tuple(map(int, v.split("."))) for v in re.findall(r"\bGLIBC_(\d[\d.]*)", said)}
    return [n for n in needed if not SYSTEM.match(n)], own[0] if own else None, versions


def is_elf(file):
    with open(file, "rb") as opened:
        return opened.read(4) == b"\x7fELF"


def closure(file, names, places):
    """Adds to `names` all that a file needs, those first that need nothing."""
    for needed in dynamic(file)[0]:
        if needed not in names:
            closure(places[needed], names, places)
            names.append(needed)
    return names


def package(file):
    """Name and version of the package of a file, and of its source."""
    for path in (file, "/usr" + file, file.removeprefix("/usr")):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            name = found.stdout.split(": ")[0].split(",")[0]
            form = "${binary:Package}\t${Version}\t${source:Package}\t${source:Version}"
            return words_of("dpkg-query", "-W", "-f", form, name).split("\t")
    sys.exit("natives.py: no package has %s, so its licence is unknown" % file)


def main(out, *folders):
    for tool in ("objdump", "ldd", "dpkg"):
        if not shutil.which(tool):
            sys.exit("natives.py: no %s: expected Debian or Ubuntu with binutils" % tool)
    found = [f for f in json.load(sys.stdin) if f["name"].startswith("lib")]
    found = [f for f in found if f["name"] != "libtorch"]  # training is not part of a wheel
    missing = [f["name"] for f in found if not f["sound"]]
    if missing:
        sys.exit("natives.py: this machine has no " + ", ".join(missing))
    os.makedirs(out + "/licences")
    copied, needs = {}, []
    for finding in found:
        file = os.path.realpath(re.search(r"\((/.*)\)$", finding["found"])[1])
        places = dict(re.findall(r"^\s+(\S+) => (/\S+)", words_of("ldd", file), re.M))
        own = dynamic(file)[1]
        names = closure(file, [], places)
        needs.append([own] + names)
        copied[own] = file
        copied.update((name, os.path.realpath(places[name])) for name in names)
    rows, versions = set(), set()
    for name, file in sorted(copied.items()):
        shutil.copyfile(file, os.path.join(out, name))
        rows.add((name, *package(file)))
        versions |= dynamic(file)[2]
    common = set()
    for row in sorted(rows):
        plain = row[1].split(":")[0]
        licence = "/usr/share/doc/%s/copyright" % plain
        shutil.copyfile(licence, "%s/licences/%s" % (out, plain))
        with open(licence, encoding="utf-8", errors="replace") as text:
            common |= set(re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", text.read()))
    for name in sorted(common):
        shutil.copyfile("/usr/share/common-licenses/" + name, out + "/licences/" + name)
    with open(out + "/needs.tsv", "w", encoding="utf-8") as file:
        file.writelines("\t".join(line) + "\n" for line in needs)
    with open(out + "/SOURCES.tsv", "w", encoding="utf-8") as file:
        file.write("library\tpackage\tversion\tsource\tsource version\n")
        file.writelines("\t".join(row) + "\n" for row in sorted(rows))
    for folder in folders:
        for place, _, files in os.walk(folder):
            for name in files:
                if is_elf(os.path.join(place, name)):
                    versions |= dynamic(os.path.join(place, name))[2]
    print("%d.%d" % max(versions)[:2])


if __name__ == "__main__":
    main(*sys.argv[1:])
