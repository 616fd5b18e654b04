package io.headrace.natives;

import io.headrace.error.ConfigException;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A C library of the system, looked for when first needed and then kept for good.
///
/// Nothing here fails while classes load. If a library is missing, its functions link to handles
/// that throw a [ConfigException] with the remedy when they are called. Thread-safe.
///
/// The system property `headrace.NAME` (such as `-Dheadrace.turbojpeg=/opt/lib/libturbojpeg.so`)
/// names a file to use instead of the system's, and `headrace.natives` a folder that is looked
/// into before the system's (see [NativeFolder]).
public final class NativeLibrary {
  /// libturbojpeg, from libjpeg-turbo 2.1 or newer: JPEG.
  public static final NativeLibrary TURBOJPEG =
      new NativeLibrary(
          "turbojpeg",
          0,
          "JPEG",
          "tjInitDecompress",
          new Packages("libturbojpeg0", "turbojpeg", "libjpeg-turbo", "jpeg-turbo"));

  /// libspng 0.7 or newer: PNG.
  public static final NativeLibrary SPNG =
      new NativeLibrary(
          "spng",
          0,
          "PNG",
          "spng_version_string",
          new Packages("libspng0", "libspng", "libspng", "libspng"));

  /// libwebp 1.0 or newer: WebP.
  public static final NativeLibrary WEBP =
      new NativeLibrary(
          "webp",
          7,
          "WebP",
          "WebPGetDecoderVersion",
          new Packages("libwebp7", "libwebp", "libwebp", "webp"));

  /// libavif 0.11 (15) or 1.x (16): AVIF. Debian's tools bring the library of any version.
  public static final NativeLibrary AVIF =
      new NativeLibrary(
          "avif",
          List.of(16, 15),
          "AVIF",
          "avifVersion",
          new Packages("libavif-bin", "libavif", "libavif", "libavif"));

  /// zlib 1.2 or newer: zlib and gzip streams with every strategy.
  public static final NativeLibrary Z =
      new NativeLibrary(
          "z", 1, "zlib and gzip", "zlibVersion", new Packages("zlib1g", "zlib", "zlib", "zlib"));

  /// libsndfile 1.1 or newer: WAV, FLAC and Ogg, and writing MP3.
  public static final NativeLibrary SNDFILE =
      new NativeLibrary(
          "sndfile",
          1,
          "WAV, FLAC and Ogg",
          "sf_version_string",
          new Packages("libsndfile1", "libsndfile", "libsndfile", "libsndfile"));

  /// libmpg123 1.26 or newer: reading MP3.
  public static final NativeLibrary MPG123 =
      new NativeLibrary(
          "mpg123",
          0,
          "MP3",
          "mpg123_new",
          new Packages("libmpg123-0", "mpg123-libs", "mpg123-libs", "mpg123"));

  /// libsamplerate 0.1.9 or newer: other sample rates.
  public static final NativeLibrary SAMPLERATE =
      new NativeLibrary(
          "samplerate",
          0,
          "resampling audio",
          "src_get_version",
          new Packages("libsamplerate0", "libsamplerate", "libsamplerate", "libsamplerate"));

  /// libzfp 1.0 or newer: floating-point tensors with an error bound.
  public static final NativeLibrary ZFP =
      new NativeLibrary(
          "zfp", 1, "ZFP", "zfp_compress", new Packages("libzfp1", "zfp", "libzfp", "zfp"));

  private final String name;

  /// Versions of the interface that are accepted, the best first.
  private final List<Integer> majors;

  private final String purpose;
  private final String probe;
  private final Packages packages;
  private @Nullable SymbolLookup symbols;
  private @Nullable String failure;

  NativeLibrary(String name, int major, String purpose, String probe, Packages packages) {
    this(name, List.of(major), purpose, probe, packages);
  }

  NativeLibrary(
      String name, List<Integer> majors, String purpose, String probe, Packages packages) {
    this.name = name;
    this.majors = majors;
    this.purpose = purpose;
    this.probe = probe;
    this.packages = packages;
  }

  /// What to install, by system.
  ///
  /// @param debian Debian, Ubuntu
  /// @param fedora Fedora, RHEL
  /// @param alpine Alpine
  /// @param homebrew macOS
  public record Packages(String debian, String fedora, String alpine, String homebrew) {}

  /// {@return every library Headrace uses}
  public static List<NativeLibrary> all() {
    return List.of(TURBOJPEG, SPNG, Z, WEBP, AVIF, SNDFILE, MPG123, SAMPLERATE, ZFP);
  }

  /// {@return its name, such as `libturbojpeg`}
  public String label() {
    return "lib" + name;
  }

  /// {@return a function that every version has: the one that tells the version, if there is one}
  String probe() {
    return probe;
  }

  /// {@return whether it was found}
  public boolean found() {
    return load() != null;
  }

  /// {@return how to get it, one line}
  public String remedy() {
    return ("install it with 'apt install %s' (Debian, Ubuntu), 'dnf install %s' (Fedora), "
            + "'apk add %s' (Alpine) or 'brew install %s' (macOS), or name the file with -D%s=PATH")
        .formatted(
            packages.debian(), packages.fedora(), packages.alpine(), packages.homebrew(), key());
  }

  /// {@return the function's address, or empty if the library or the function is missing}
  public Optional<MemorySegment> find(String function) {
    SymbolLookup lookup = load();
    return lookup == null ? Optional.empty() : lookup.find(function);
  }

  /// Links one C function.
  ///
  /// @param declaration as a header has it, such as `int sf_close(void*)`; see [Prototype]
  /// @return a handle that calls it or, where library or function is missing, throws a
  ///     [ConfigException] with the remedy at every call
  @SuppressWarnings("restricted") // a door to C
  public MethodHandle link(String declaration) {
    Prototype function = Prototype.of(declaration);
    return find(function.name())
        .map(address -> Linker.nativeLinker().downcallHandle(address, function.type()))
        .orElseGet(() -> thrower(function.name(), function.type().toMethodType()));
  }

  /// Checks that the library is there.
  ///
  /// @throws ConfigException with the remedy if it is not
  public void require() {
    if (!found()) {
      throw missing("");
    }
  }

  private MethodHandle thrower(String function, MethodType type) {
    try {
      MethodHandle cause =
          MethodHandles.lookup()
              .bind(this, "missing", MethodType.methodType(ConfigException.class, String.class))
              .bindTo(function);
      MethodHandle raise = MethodHandles.throwException(type.returnType(), ConfigException.class);
      return MethodHandles.dropArguments(
          MethodHandles.foldArguments(
              raise.asType(MethodType.methodType(type.returnType(), ConfigException.class)), cause),
          0,
          type.parameterList());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot link the failure of " + function, e);
    }
  }

  private ConfigException missing(String function) {
    String why = failure;
    return new ConfigException(
        why == null
            ? "%s%s has no function %s: a newer one is needed; %s"
                .formatted(label(), NativeVersions.where(this), function, remedy())
            : "%s, needed for %s, was not found (%s): %s"
                .formatted(label(), purpose, why, remedy()));
  }

  @SuppressWarnings({"restricted", "MustBeClosedChecker"}) // never unloaded: the global arena
  private synchronized @Nullable SymbolLookup load() {
    if (symbols != null || failure != null) {
      return symbols;
    }
    List<String> files = candidates();
    for (String file : files) {
      try {
        NativeFolder.loadNeeded(file);
        symbols = SymbolLookup.libraryLookup(file, Arena.global());
        return symbols;
      } catch (IllegalArgumentException e) {
        // not under this name: try the next
      }
    }
    failure = "looked for " + String.join(", ", files);
    return null;
  }

  private List<String> candidates() {
    String given = System.getProperty(key());
    if (given != null) {
      return List.of(new File(given).getAbsolutePath());
    }
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    List<String> files = new ArrayList<>(NativeFolder.files(name, majors));
    if (!os.contains("mac")) {
      majors.forEach(major -> files.add("lib" + name + ".so." + major));
      files.add("lib" + name + ".so");
      return files;
    }
    for (String folder :
        List.of(
            "",
            "/opt/homebrew/lib/",
            "/usr/local/lib/",
            "/opt/homebrew/opt/" + packages.homebrew() + "/lib/",
            "/opt/local/lib/")) {
      majors.forEach(major -> files.add(folder + "lib" + name + "." + major + ".dylib"));
      files.add(folder + "lib" + name + ".dylib");
    }
    return files;
  }

  private String key() {
    return "headrace." + name;
  }

  @Override
  public String toString() {
    return label();
  }

  /// {@return what was found, for reports}
  public NativeStatus status() {
    return new NativeStatus(
        label(),
        purpose,
        found(),
        NativeVersions.path(this),
        NativeVersions.version(this),
        remedy());
  }
}
