#!/usr/bin/env python3
"""Two steps on the way to a Java runtime that holds Headrace; scripts/wheel.sh takes them.

    scripts/image.py module JDK OUT JAR...

makes one module of jars, OUT/io.headrace.jar, since jlink takes no jars without a module-info. It
has the classes and resources of all (OUT/classes). Services of META-INF/services become `provides`,
and what jdeps finds becomes `requires`. Native code of other systems than Linux on x86-64 is left
out. Notices and licences of the jars go to OUT/licences. Prints the modules of the JDK it needs.

    scripts/image.py jdk JDK OUT

makes a copy of a JDK whose vector module does not count as incubating. A JVM that starts with an
incubating module neither links classes ahead of time nor keeps profiles of a training run in its
start-up cache, and prints a line of warning each time.
"""

import mmap
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

RELEASE = 25
MODULE = "io.headrace"
MAIN = MODULE + ".cli.Main"
VECTORS = "jdk.incubator.vector"
# The attribute ModuleResolution of a module-info: two bytes long, DO_NOT_RESOLVE_BY_DEFAULT and
# WARN_INCUBATING.
INCUBATING, PLAIN = b"\0\0\0\2\0\11", b"\0\0\0\2\0\0"
# Found by name when the program runs, or compiled against only where it is there.
ALWAYS = {VECTORS, "jdk.jfr", "jdk.unsupported"}
# Windows and fonts: libraries ask for its JavaBeans, and do without.
NEVER = {"java.base", "java.desktop"}
LICENCE = re.compile(r"(?i)^(META-INF/)?(.*/)?(LICEN[CS]E|NOTICE|COPYING)[^/]*$")
NATIVE = re.compile(r"(?i)\.(so|dll|dylib|jnilib|a|lib)$")
OURS = re.compile(r"(?i)(^|[/_-])linux[^/]*/(.*/)?(amd64|x86_64|x86-64)/|linux[^/]*(amd64|x86_64)")


def wanted(name):
    """The place of a jar's entry in the module, or None."""
    version = 0
    match = re.match(r"META-INF/versions/(\d+)/(.*)", name)
    if match:
        version, name = int(match[1]), match[2]
        if version > RELEASE:
            return None
    if not name or name.endswith("/") or name.endswith("module-info.class"):
        return None
    if name.startswith("META-INF/") and not name.startswith("META-INF/services/"):
        return None
    if NATIVE.search(name) and (not OURS.search(name) or "musl" in name.lower()):
        return None
    return version, name


def merge(jars, out):
    """Unpacks the jars over one another; returns the services that they provide."""
    services = {}
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            entries = {}
            for entry in archive.infolist():
                if LICENCE.match(entry.filename) and not entry.is_dir():
                    folder = os.path.join(out, "licences", os.path.basename(jar)[:-4])
                    os.makedirs(folder, exist_ok=True)
                    with open(os.path.join(folder, os.path.basename(entry.filename)), "wb") as file:
                        file.write(archive.read(entry))
                place = wanted(entry.filename)
                if place and entries.get(place[1], (-1,))[0] < place[0]:
                    entries[place[1]] = (place[0], entry)
            for name, (_, entry) in entries.items():
                if name.startswith("META-INF/services/"):
                    lines = archive.read(entry).decode().splitlines()
                    found = [line.split("#")[0].strip() for line in lines]
                    known = services.setdefault(name.rpartition("/")[2], [])
                    known += [line for line in found if line and line not in known]
                    continue
                target = os.path.join(out, "classes", name)
                if os.path.exists(target) and name.endswith(".class"):
                    sys.exit("image.py: %s is in %s and in another jar" % (name, jar))
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(archive.read(entry))
    return services


def module(jdk, out, *jars):
    classes = os.path.join(out, "classes")
    services = merge(jars, out)
    needed = subprocess.run(
        [jdk + "/bin/jdeps", "--print-module-deps", "--ignore-missing-deps", "-q", classes],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    needed = sorted({*needed.strip().split(","), *ALWAYS} - NEVER)
    lines = ["open module %s {" % MODULE]
    lines += ["  requires %s;" % name for name in needed]
    for service in ("io.headrace.convert.Cluster$Provider", "io.headrace.serve.NetworkServer"):
        services.setdefault(service, [])  # asked for, though no jar here may provide it
    for service, providers in services.items():
        ours = os.path.exists(os.path.join(classes, service.replace(".", "/") + ".class"))
        if ours:
            lines.append("  uses %s;" % service.replace("$", "."))
        if providers and (ours or service.startswith("java.")):
            names = ", ".join(providers).replace("$", ".")
            lines.append("  provides %s with %s;" % (service.replace("$", "."), names))
    info = os.path.join(out, "module-info.java")
    with open(info, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "}", ""]))
    subprocess.run([jdk + "/bin/javac", "-Xlint:none", "-nowarn", "-d", classes, info], check=True)
    jar = [jdk + "/bin/jar", "--create", "--no-compress", "--main-class=" + MAIN]
    jar += ["--file", os.path.join(out, MODULE + ".jar"), "-C", classes, "."]
    subprocess.run(jar, check=True)
    print(",".join(needed))


def copy_of_jdk(jdk, out):
    shutil.copytree(jdk, out, symlinks=True, ignore=shutil.ignore_patterns("src.zip", "*.jsa"))
    with tempfile.TemporaryDirectory() as folder:
        wanted = "regex:/%s/module-info.class" % VECTORS
        extract = [jdk + "/bin/jimage", "extract", "--include", wanted, "--dir", folder]
        subprocess.run([*extract, jdk + "/lib/modules"], check=True)
        with open(os.path.join(folder, VECTORS, "module-info.class"), "rb") as file:
            before = file.read()
    if before.count(INCUBATING) != 1:
        sys.exit("image.py: %s is not marked as incubating as expected" % VECTORS)
    after = before.replace(INCUBATING, PLAIN)
    with open(os.path.join(out, "lib", "modules"), "r+b") as file:
        with mmap.mmap(file.fileno(), 0) as image:
            place = image.find(before)
            if place < 0 or image.find(before, place + 1) >= 0:
                sys.exit("image.py: expected %s once in %s, not compressed" % (VECTORS, out))
            image[place : place + len(before)] = after


if __name__ == "__main__":
    {"module": module, "jdk": copy_of_jdk}[sys.argv[1]](*sys.argv[2:])
