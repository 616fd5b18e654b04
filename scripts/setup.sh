# Set-up shared by ./headrace and ./test: finds a JDK, the native libraries and Maven, and builds.
# Sourced by POSIX shells; expects $root to be the repository's root.

say() { printf 'headrace: %s\n' "$*" >&2; }

. "$root/scripts/locale.sh"

# The feature release of the JDK in directory $1, or nothing.
jdk_release() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

# Sets JAVA_HOME to a JDK of release 25 or newer: the user's own if it is new enough, else the
# first found in the usual places.
find_jdk() {
  on_path=$(command -v javac 2>/dev/null || true)
  if [ -n "$on_path" ]; then
    on_path=$(readlink -f "$on_path" 2>/dev/null || printf '%s' "$on_path")
    on_path=${on_path%/bin/javac}
  fi
  for home in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/* /opt/java/* /opt/jdk* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "${HOME:-}"/.sdkman/candidates/java/* \
    "${HOME:-}"/.jdks/* /opt/homebrew/opt/openjdk/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk/libexec/openjdk.jdk/Contents/Home; do
    [ -n "$home" ] || continue
    release=$(jdk_release "$home")
    if [ -n "$release" ] && [ "$release" -ge 25 ]; then
      JAVA_HOME=$home
      export JAVA_HOME
      return 0
    fi
  done
  if [ "${1:-}" != again ] && install_jdk; then
    find_jdk again
    return
  fi
  say "no JDK 25 or newer found (looked at JAVA_HOME, PATH and the usual places)."
  say "Install one and run this again:"
  say "  Debian, Ubuntu, where apt-get has it:" \
    "sudo apt-get install openjdk-25-jdk-headless"
  say "  Fedora:     sudo dnf install java-25-openjdk-devel java-25-openjdk-jmods"
  say "  Homebrew:   brew install openjdk@25"
  say "  elsewhere:  Eclipse Temurin 25 from https://adoptium.net/temurin/releases?version=25;" \
    "then export JAVA_HOME=its folder"
  say "A wheel needs none: pip install headrace-*.whl, as scripts/wheel.sh makes it on a machine" \
    "with a JDK, brings its own (Linux x86-64)."
  return 1
}

# Sets as_root to a command that runs others as root without asking, to nothing if this is root, or
# to "none".
find_root() {
  as_root=
  if [ "$(id -u)" != 0 ]; then
    as_root='sudo -n'
    sudo -n true 2>/dev/null || as_root=none
  fi
}

# Installs a JDK where the system's packages have one and that is allowed.
install_jdk() {
  command -v apt-get >/dev/null 2>&1 || return 1
  find_root
  [ "$as_root" != none ] || return 1
  has_jdk_package || $as_root apt-get update >/dev/null 2>&1 || return 1
  has_jdk_package || return 1
  say "installing openjdk-25-jdk-headless …"
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends \
    openjdk-25-jdk-headless >/dev/null 2>&1
}

has_jdk_package() {
  apt-cache policy openjdk-25-jdk-headless 2>/dev/null | grep -q 'Candidate: 25'
}

# Whether the dynamic linker, or a usual folder, knows a library whose file name starts with $1.
has_library() {
  if command -v ldconfig >/dev/null 2>&1 && ldconfig -p 2>/dev/null | grep -q "[[:space:]]$1"; then
    return 0
  fi
  for folder in /usr/lib /usr/lib64 /usr/local/lib /usr/lib/*-linux-* /opt/homebrew/lib \
    /opt/homebrew/opt/jpeg-turbo/lib /usr/local/opt/jpeg-turbo/lib; do
    for file in "$folder/$1"*; do
      [ -e "$file" ] && return 0
    done
  done
  return 1
}

missing_libraries() {
  for name in libturbojpeg libspng libz \
    libsndfile libmpg123 libsamplerate \
    libwebp libavif libzfp; do
    has_library "$name." || printf '%s ' "$name"
  done
}

# Installs what is missing where that is allowed, else prints how to.
find_libraries() {
  missing=$(missing_libraries)
  [ -z "$missing" ] && return 0
  find_root
  if command -v apt-get >/dev/null 2>&1 && [ "$as_root" != none ]; then
    say "installing missing native libraries: $missing"
    log=$(mktemp)
    if { $as_root apt-get update && DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y \
      --no-install-recommends libturbojpeg0 libspng0 zlib1g \
      libsndfile1 libmpg123-0 libsamplerate0 \
      libwebp7 libavif-bin libzfp1; } >"$log" 2>&1; then
      rm -f "$log"
    else
      tail -5 "$log" >&2
      rm -f "$log"
    fi
    missing=$(missing_libraries)
    [ -z "$missing" ] && return 0
  fi
  say "missing native libraries: $missing"
  say "install them with one of"
  say "  Debian, Ubuntu: sudo apt-get install libturbojpeg0 libspng0 zlib1g" \
    "libsndfile1 libmpg123-0 libsamplerate0 libwebp7 libavif-bin libzfp1"
  say "  Fedora:         sudo dnf install turbojpeg libspng zlib" \
    "libsndfile mpg123-libs libsamplerate libwebp libavif zfp"
  say "  Alpine:         sudo apk add libjpeg-turbo libspng zlib" \
    "libsndfile mpg123-libs libsamplerate libwebp libavif libzfp"
  say "  Homebrew:       brew install jpeg-turbo libspng zlib" \
    "libsndfile mpg123 libsamplerate webp libavif zfp"
  return 1
}

# Whether the tests of the Python client can run; they need no packages.
find_python() {
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && return 0
  say "no python3 of version 3.10 or newer on PATH: the tests of the Python client need one."
  return 1
}

# Sets HEADRACE_PYTHON to a Python with NumPy: python3 or, the first time, an environment made for it
# under .headrace/numpy. Without a network to take it from, tests that need it are passed over.
find_numpy() {
  for HEADRACE_PYTHON in python3 "$root/.headrace/numpy/bin/python"; do
    export HEADRACE_PYTHON
    "$HEADRACE_PYTHON" -c 'import numpy' 2>/dev/null && return 0
  done
  say "making a Python environment with NumPy in .headrace/numpy …"
  python3 -m venv "$root/.headrace/numpy" >/dev/null 2>&1 &&
    "$HEADRACE_PYTHON" -m pip install -q 'numpy>=1.23' >/dev/null 2>&1 && return 0
  say "NumPy cannot be had: its tests are passed over."
  HEADRACE_PYTHON=python3
}

# Sets MVN to a Maven of 3.8 or newer: the one installed, else the wrapper, which fetches one.
find_maven() {
  if command -v mvn >/dev/null 2>&1; then
    MVN=mvn
  else
    MVN=$root/mvnw
  fi
}

jar=$root/cli/target/headrace-cli-0.1.0-SNAPSHOT.jar

# Whether the build is missing or older than a source.
needs_build() {
  [ -f "$jar" ] || return 0
  [ -n "$(find "$root/pom.xml" "$root"/core/pom.xml "$root"/interop/pom.xml "$root"/lab/pom.xml \
    "$root"/serve/pom.xml "$root"/train/pom.xml "$root"/cli/pom.xml "$root"/core/src/main "$root"/interop/src/main \
    "$root"/lab/src/main "$root"/serve/src/main "$root"/train/src/main "$root"/cli/src/main \
    -newer "$jar" -type f 2>/dev/null | head -1)" ]
}

build() {
  find_libraries || return 1
  find_maven
  say "building (once) with the JDK in $JAVA_HOME …"
  log=$(mktemp)
  if (cd "$root" && "$MVN" -B -q -pl cli -am package -DskipTests -Djacoco.skip \
    -Dspotless.check.skip -Dheadrace.no-training) >"$log" 2>&1; then
    rm -f "$log"
    touch "$jar" # Maven leaves it as it was if only another module changed
  else
    cat "$log" >&2
    say "the build failed; its output is in $log"
    return 1
  fi
  "$JAVA_HOME/bin/java" "$root/scripts/ClassFiles.java" "$root"/cli/target/picocli-*.jar \
    >/dev/null 2>&1 || true # it makes the start faster and no more
  # Start-up caches of loaded classes, which hold for one set of modules each; without them
  # everything works, half a second later.
  rm -f "$root"/cli/target/headrace*.aot
  warm_up headrace.aot
  # shellcheck disable=SC2086 # flags are words
  ! has_vectors ||
    warm_up headrace-vectors.aot $vector_flags "-XX:CompileCommandFile=$vector_jit"
}

# Makes module $1, with its libraries, which Maven fetches; $2 says what they are. Options of Maven
# follow.
fetch_module() {
  module=$1
  what=$2
  shift 2
  find_maven
  say "fetching $what …"
  log=$(mktemp)
  if (cd "$root" && "$MVN" -B -q -pl "$module" -am package -DskipTests -Djacoco.skip \
    -Dspotless.check.skip "$@") >"$log" 2>&1; then
    rm -f "$log"
    touch "$jar" # or the command would be built again, if Maven made a module below it anew
  else
    cat "$log" >&2
    say "$what could not be fetched; Maven's output is in $log"
    return 1
  fi
}

train_jar=$root/train/target/headrace-train-0.1.0-SNAPSHOT.jar
train_lib=$root/train/target/lib

# Fetches the deep-learning library, the first time that something is trained.
build_train() {
  if ls "$train_lib"/pytorch-native-*.jar >/dev/null 2>&1; then
    return 0
  fi
  fetch_module train "the deep-learning library for training (once, 115 MB)"
}

cloud_jar=$root/cloud/target/headrace-cloud-0.1.0-SNAPSHOT.jar
cloud_lib=$root/cloud/target/lib

# Whether one of the arguments is an address of object storage, such as s3://bucket/folder.
has_address() {
  for argument in "$@"; do
    case $argument in
      spark://* | k8s://* | --spark=*) ;;
      *[a-z0-9]://*) return 0 ;;
    esac
  done
  return 1
}

# Whether a conversion is to run on Spark.
wants_spark() {
  [ "${1:-}" = convert ] || return 1
  for argument in "$@"; do
    case $argument in
      --spark | --spark=*) return 0 ;;
    esac
  done
  return 1
}

# Builds what reads object storage, the first time that an address is given.
build_cloud() {
  if [ -f "$cloud_jar" ] && ls "$cloud_lib"/opendal-*.jar >/dev/null 2>&1 &&
    [ -z "$(find "$root"/cloud/pom.xml "$root"/cloud/src/main -newer "$cloud_jar" -type f | head -1)" ]; then
    return 0
  fi
  fetch_module cloud "the libraries for object storage (once, 32 MB)" && touch "$cloud_jar"
}

spark_jar=$root/spark/target/headrace-spark-0.1.0-SNAPSHOT.jar
spark_all=$root/spark/target/headrace-spark-0.1.0-SNAPSHOT-all.jar
spark_lib=$root/spark/target/lib

# Builds what runs on Spark, the first time that it is asked for.
build_spark() {
  if [ -f "$spark_all" ] && ls "$spark_lib"/spark-sql_*.jar >/dev/null 2>&1 &&
    [ -z "$(find "$jar" "$root"/spark/pom.xml "$root"/spark/src/main -newer "$spark_all" -type f | head -1)" ]; then
    return 0
  fi
  fetch_module spark "Spark (once, 290 MB)" -Pspark -Dheadrace.no-training &&
    touch "$spark_jar" "$spark_all"
}

flight_jar=$root/flight/target/headrace-flight-0.1.0-SNAPSHOT.jar
flight_lib=$root/flight/target/lib
# Arrow reaches the address of direct buffers by reflection, and so does Spark.
flight_flags="--add-opens=java.base/java.nio=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"

# Whether one of the arguments asks for a server by Arrow Flight.
asks_for_flight() {
  for argument in "$@"; do
    case $argument in
      --flight | --flight=*) return 0 ;;
    esac
  done
  return 1
}

# Builds what serves other hosts, the first time that it is asked for.
build_flight() {
  if [ -f "$flight_jar" ] && ls "$flight_lib"/flight-core-*.jar >/dev/null 2>&1 &&
    [ -z "$(find "$root"/flight/pom.xml "$root"/flight/src/main -newer "$flight_jar" -type f | head -1)" ]; then
    return 0
  fi
  fetch_module flight "the libraries for Arrow Flight (once, 25 MB)" && touch "$flight_jar"
}

# Makes start-up cache $1 with the flags that follow.
warm_up() {
  cache=$root/cli/target/$1
  shift
  "$JAVA_HOME/bin/java" $jvm_flags "$@" -XX:AOTCacheOutput="$cache" -jar "$jar" --warm-up \
    >/dev/null 2>&1 || true
}

# Whether pixels can be computed by vectors. Java prints a line of warning for it, so only commands
# that decode much take the flags.
has_vectors() {
  grep -q 'jdk\.incubator\.vector' "$JAVA_HOME/release" 2>/dev/null
}

# While it is busy, the JIT must not fall back on code without counters, since that delays the best
# code (see docs/decisions.md). The file says how it compiles vectors.
vector_flags="--add-modules jdk.incubator.vector -XX:Tier3DelayOn=1000"
vector_jit=$root/scripts/vectors.jit

jvm_flags="--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC"
