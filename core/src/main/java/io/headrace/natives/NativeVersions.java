package io.headrace.natives;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds out which file a library came from and which version it is. Slow: for reports only.
final class NativeVersions {
  /// `Dl_info` of dlfcn.h: four pointers, the first to the file's name.
  private static final long DL_INFO_BYTES = 4 * ADDRESS.byteSize();

  private NativeVersions() {}

  /// {@return ` (PATH)`, or nothing where the path is unknown}
  static String where(NativeLibrary library) {
    Path path = path(library);
    return path == null ? "" : " (" + path + ")";
  }

  /// {@return the file the library was loaded from, links resolved, or null if unknown}
  @SuppressWarnings("restricted") // a door to C
  static @Nullable Path path(NativeLibrary library) {
    MemorySegment symbol = library.find(library.probe()).orElse(null);
    Linker linker = Linker.nativeLinker();
    MemorySegment dladdr = linker.defaultLookup().find("dladdr").orElse(null);
    if (symbol == null || dladdr == null) {
      return null;
    }
    MethodHandle call =
        linker.downcallHandle(dladdr, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(DL_INFO_BYTES, ADDRESS.byteAlignment());
      if ((int) call.invokeExact(symbol, info) == 0) {
        return null;
      }
      Path path = Path.of(Downcalls.string(info.get(ADDRESS, 0)));
      return path.isAbsolute() ? path.toRealPath() : path;
    } catch (IOException e) {
      return null; // gone from the disk since it was loaded
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return the version in the library's own words or, for libturbojpeg, as far as its functions
  ///     tell; null if it was not found}
  static @Nullable String version(NativeLibrary library) {
    if (!library.found()) {
      return null;
    }
    if (library == NativeLibrary.SNDFILE || library == NativeLibrary.SAMPLERATE) {
      return number(text(library, library.probe()));
    }
    if (library == NativeLibrary.MPG123) {
      String version = text(library, "mpg123_distversion"); // since 1.32
      return version != null ? version : number(path(library) + "");
    }
    if (library == NativeLibrary.WEBP) {
      return webp();
    }
    if (library == NativeLibrary.ZFP) {
      return zfp();
    }
    if (library != NativeLibrary.TURBOJPEG) {
      return text(library, library.probe());
    }
    if (library.find("tj3SetICCProfile").isPresent()) {
      return "3.1 or newer";
    }
    if (library.find("tj3Init").isPresent()) {
      return "3.0";
    }
    return library.find("tjGetErrorCode").isPresent() ? "2.0 or 2.1" : "older than 2.0";
  }

  private static @Nullable String text(NativeLibrary library, String function) {
    if (library.find(function).isEmpty()) {
      return null;
    }
    try {
      return Downcalls.string(
          (MemorySegment) library.link("void* %s()".formatted(function)).invokeExact());
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return the first digits and dots after a dash or `.so.`, as in `libsndfile-1.2.0 …`; null
  ///     if there are none}
  private static @Nullable String number(@Nullable String text) {
    Matcher number =
        Pattern.compile("(?:-|\\.so\\.)(\\d[\\d.]*)").matcher(text == null ? "" : text);
    return number.find() ? number.group(1) : null;
  }

  /// {@return the version that libwebp gives as one number, a byte a part}
  private static String webp() {
    try {
      int version = (int) NativeLibrary.WEBP.link("int WebPGetDecoderVersion()").invokeExact();
      return "%d.%d.%d".formatted(version >> 16, version >> 8 & 0xff, version & 0xff);
    } catch (Throwable t) {
      throw Downcalls.rethrow(t);
    }
  }

  /// {@return what the variable `const char* const zfp_version_string` points to}
  @SuppressWarnings("restricted") // a door to C
  private static @Nullable String zfp() {
    return NativeLibrary.ZFP
        .find("zfp_version_string")
        .map(text -> Downcalls.string(text.reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0)))
        .map(text -> text.replaceFirst("^\\D+", ""))
        .orElse(null);
  }
}
