#!/bin/sh
# Installs the wheel where there is nothing but a Python and a shell, and uses it: `./test --wheel`.
#
#   scripts/wheel-test.sh [OUT]    tests what scripts/wheel.sh made in OUT; makes it if it is not given
#
# The clean root is a folder with the libraries of C and C++, a Python (PYTHON, else python3) with
# pip, and /bin/sh. It has no Java, no other library than what that Python needs, no /usr/bin and no
# network. Needs the right to make namespaces of its own (unshare), as root or as a user.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd -P)
. "$root/scripts/setup.sh"
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=${1:-}
if [ -z "$out" ]; then
  out=$work/dist
  "$root/scripts/wheel.sh" "$out"
fi
wheel=$(ls "$out"/headrace-*manylinux*.whl)

passed=0
failed=0
check() { # NAME COMMAND...
  name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok    $name"
  else
    failed=$((failed + 1))
    echo "FAIL  $name"
    sed 's/^/      /' "$work/log" | tail -30
  fi
}

if ! "$python" -m pip download -q -d "$work/wheels" 'numpy>=1.23' >"$work/log" 2>&1; then
  tail -2 "$work/log" >&2
  say "NumPy's wheel cannot be had: the wheel is not tested"
  exit 1
fi
cp "$wheel" "$work/wheels"

new=$work/root
"$python" -B - "$new" <<'PY'
import glob, os, re, shutil, subprocess, sys, sysconfig
root = sys.argv[1]

def put(path):
    if not os.path.exists(root + path):
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        shutil.copy2(path, root + path)

def put_program(path):
    put(path)
    said = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    for needed in re.findall(r"(/\S+) \(0x", said):
        put(needed)

standard = sysconfig.get_path("stdlib")
skipped = shutil.ignore_patterns("test", "tests", "__pycache__", "idlelib", "*.a", "site-packages")
shutil.copytree(standard, root + standard, ignore=skipped, symlinks=True)
import pip
shutil.copytree(os.path.dirname(pip.__file__), root + standard + "/site-packages/pip")
program = os.path.realpath(sys.executable)
put_program(program)
for extension in glob.glob(standard + "/lib-dynload/*.so"):
    put_program(extension)
put_program("/bin/sh")
for name in ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1",
             "libstdc++.so.6", "libgcc_s.so.1"):
    for path in glob.glob("/lib/x86_64-linux-gnu/" + name) + glob.glob("/lib64/" + name):
        put(path)
for folder in ("dev/shm", "proc", "tmp", "root", "wheels"):
    os.makedirs(os.path.join(root, folder), exist_ok=True)
for device in ("null", "urandom", "random", "zero"):
    open(os.path.join(root, "dev", device), "w").close()
with open(root + "/python", "w") as file:
    file.write("#!/bin/sh\nexec %s \"$@\"\n" % program)
os.chmod(root + "/python", 0o755)
PY
cp "$work"/wheels/*.whl "$new/wheels"

# Java's files of the NSS and such are not there on purpose.
inside() { # COMMAND... in the clean root, without a network
  unshare --user --map-root-user --mount --pid --fork --net sh -c '
    new=$1
    shift
    mount --bind "$new" "$new" # a mount point, as the root of a container is one
    for device in null urandom random zero; do mount --bind /dev/$device "$new/dev/$device"; done
    mount -t tmpfs -o size=2g tmpfs "$new/dev/shm"
    mount -t proc proc "$new/proc"
    cd "$new/root"
    exec env -i HOME=/root TMPDIR=/tmp PATH=/venv/bin:/bin "$(command -v chroot)" "$new" /bin/sh -c "cd /root; exec \"\$@\"" sh "$@"
  ' sh "$new" "$@"
}

# The Python example of the README, as it stands there, with a step of its own.
"$python" -B - "$root/README.md" >"$new/root/example.py" <<'PY'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
[example] = re.findall(r"```python\n(.*?)```", text, re.S)
print("seen = []\ndef step(images, labels):\n    seen.append((images.shape, str(images.dtype), len(labels)))\n")
print(example.replace("headrace.torch", "headrace"))
print("assert sum(s[2] for s in seen) == 171, seen")
print("assert seen[0] == ((128, 3, 224, 224), 'float32', 128), seen")
PY

# The demo's dataset on a web server and in a bucket, read by the command and by the loader.
cp "$root/scripts/wheel_buckets.py" "$new/root/"

has() { # TEXT COMMAND...
  wanted=$1
  shift
  "$@" >"$work/said" 2>&1 || {
    cat "$work/said"
    return 1
  }
  grep -q "$wanted" "$work/said" || {
    cat "$work/said"
    return 1
  }
}

check "the clean root has no Java, and no libjpeg" inside /bin/sh -c '! [ -e /usr/bin/java ] &&
  ! [ -e /usr/lib/jvm ] && for f in /lib/x86_64-linux-gnu/libturbojpeg* /usr/lib/x86_64-linux-gnu/libturbojpeg*; do
  ! [ -e "$f" ] || exit 1; done'
check "a virtual environment" inside /python -m venv --without-pip /venv
check "pip installs the wheel, without a network" \
  inside /python -m pip --python /venv/bin/python install --no-index --find-links /wheels headrace
check "headrace --version" has "headrace 0" inside headrace --version
check "python -m headrace is the whole command" \
  has "Usage: headrace tune" inside python -m headrace tune --help
check "every C library is found, in the wheel" has "natives/libavif" inside headrace doctor
check "the start-up cache fits where the wheel was unpacked" has "full module graph: enabled" \
  inside /bin/sh -c 'cd /venv/lib/python3*/site-packages/headrace/engine
  exec bin/java -XX:+UseSerialGC --enable-native-access=io.headrace -XX:AOTCache=headrace.aot \
    -Xlog:aot=info -m io.headrace/io.headrace.cli.Main --version'
check "headrace --version says nothing else, not of incubating modules either" inside /bin/sh -c \
  'said=$(headrace --version 2>&1); echo "$said"; case $said in "headrace "*incubat*) exit 1 ;; esac
  [ "$said" = "$(headrace --version 2>/dev/null)" ]'
check "man page and completion" inside /bin/sh -c '[ -s /venv/share/man/man1/headrace.1 ] &&
  [ -s /venv/share/bash-completion/completions/headrace ]'
check "headrace demo" has "samples/s" inside headrace demo
check "and verify what it made" inside headrace verify out/demo/dataset
check "the Python example of the README" inside /bin/sh -c \
  'python -c "import os; os.symlink(\"demo/dataset\", \"out/train\")"; python example.py'
check "a web server and a bucket, from the command and from Python" \
  has "s3://bucket/dataset is read" inside python wheel_buckets.py
check "a wrong option is told" has "did you mean" inside /bin/sh -c \
  '! python -c "from headrace import Loader; Loader(\"x\", bach=1)"'

mkdir "$work/unpacked"
check "the archive without Python is whole" \
  has "headrace 0" sh -c "zstd -dc '$out/headrace-linux-x64.tar.zst' | tar -C '$work/unpacked' -xf - &&
  '$work/unpacked/headrace/bin/headrace' --version"
check "also through a link" has "171 samples" sh -c "ln -s unpacked/headrace/bin/headrace '$work/hr' &&
  cd '$work' && ./hr inspect unpacked/headrace/samples/photos"
size=$(wc -c <"$wheel")
check "the wheel is below 120 MB" [ "$size" -lt 120000000 ]

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
