package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Names what bytes are that are not what was asked for, and says what to do. Called only on the
/// way to an exception.
public final class FirstBytes {
  /// Bytes that are enough to tell.
  public static final int ENOUGH = 512;

  private static final int TAR_MAGIC = 257;
  private static final int DICOM_MAGIC = 128;

  /// Fewer bytes that could be text are no proof of it.
  private static final int MIN_TEXT = 8;

  private static final String PLAIN = "plain text";

  /// What a file may be.
  ///
  /// @param magic its first bytes, one a character; `.` stands for any byte
  /// @param name with its article
  /// @param picture whether it is an image, in a format that is not read here
  /// @param advice what to do; empty if there is nothing to say
  private record Kind(String magic, String name, boolean picture, String advice) {}

  private static final String EXPORT = "export it with to_parquet of the Python package datasets";

  private static final List<Kind> KNOWN =
      List.of(
          other("version https://git-lfs", "a Git LFS pointer", "git lfs pull gets the file"),
          other("PK\u0003\u0004", "a zip archive", "unpack it"),
          other("PK\u0005\u0006", "an empty zip archive", ""),
          other("7z\u00bc\u00af'\u001c", "a 7z archive", "unpack it"),
          other("Rar!\u001a\u0007", "a RAR archive", "unpack it"),
          other("\u001f\u008b", "gzip data", ""),
          other("(\u00b5/\u00fd", "zstd data", ""),
          other("BZh", "bzip2 data", ""),
          other("\u00fd7zXZ\0", "xz data", ""),
          other("\u0089LZO\0\r\n", "lzop data", ""),
          other("\u0004\"M\u0018", "LZ4 data", ""),
          other("PAR1", "a Parquet file", ""),
          other("ARROW1\0\0", "an Arrow file", EXPORT),
          other("\u00ff\u00ff\u00ff\u00ff..\0\0\u0010\0\0\0", "an Arrow stream", EXPORT),
          other("SQLite format 3\0", "an SQLite database", ""),
          other("\u0089HDF\r\n\u001a\n", "an HDF5 file", ""),
          other("\u0093NUMPY", "a NumPy array", ""),
          other("\u0080\u0002}", "a Python pickle", ""),
          other("\u0080\u0004\u0095", "a Python pickle", ""),
          other("\u0080\u0005\u0095", "a Python pickle", ""),
          other("Obj\u0001", "an Avro file", ""),
          other("\u0089HRACE\r\n", "a race shard", ""),
          other("%PDF", "a PDF document", ""),
          other("RIFF....WAVE", "a WAV file", ""),
          other("RIFF....AVI ", "an AVI video", ""),
          other("fLaC", "FLAC sound", ""),
          other("OggS", "an Ogg file", ""),
          other("ID3", "MP3 sound", ""),
          other("\u001aE\u00df\u00a3", "a Matroska or WebM file", ""),
          other(
              "\0\u0005\u0016\u0007", "an AppleDouble file, which a Mac keeps beside another", ""),
          picture("GIF8", "a GIF image"),
          picture("II*\0", "a TIFF image"),
          picture("MM\0*", "a TIFF image"),
          picture("....ftyphei", "a HEIF image (HEIC)"),
          picture("....ftyphev", "a HEIF image (HEIC)"),
          picture("....ftypmif1", "a HEIF image"),
          picture("....ftypmsf1", "a HEIF image"),
          picture("\0\0\0\fJXL \r\n", "a JPEG XL image"),
          picture("\u00ff\n", "a JPEG XL image"),
          picture("\0\0\0\fjP  \r\n", "a JPEG 2000 image"),
          picture("\u00ffO\u00ffQ", "a JPEG 2000 image"),
          picture("8BPS\0", "a Photoshop document"),
          picture("v/1\u0001", "an OpenEXR image"),
          picture("\0\0\u0001\0", "a Windows icon"),
          other("....ftyp", "an MP4 file", ""));

  private FirstBytes() {}

  private static Kind other(String magic, String name, String advice) {
    return new Kind(magic, name, false, advice);
  }

  private static Kind picture(String magic, String name) {
    return new Kind(magic, name, true, "");
  }

  /// {@return the error that says what bytes are that are no image of a format read here}
  ///
  /// @param wanted with its article, such as `an image`
  public static DecodeException noImage(MemorySegment bytes, String wanted) {
    Kind kind = kind(bytes);
    return kind != null && kind.picture
        ? new DecodeException(Fault.UNSUPPORTED, kind.name + ": this format is not read")
        : new DecodeException(Fault.MISMATCH, describe(bytes, wanted));
  }

  /// {@return the error that says what bytes are, or null if they are what is wanted as far as one
  /// can tell. An image in a format that is not read here is UNSUPPORTED if an image was wanted}
  ///
  /// @param bytes the first ones, [#ENOUGH] of them or as many as there are
  /// @param wanted with its article, such as `an image` or `a tar archive`
  public static @Nullable DecodeException foreign(MemorySegment bytes, String wanted) {
    String name = bytes.byteSize() == 0 ? null : name(bytes);
    if (name == null || name.equals(wanted)) {
      return null;
    }
    return wanted.equals("an image")
        ? noImage(bytes, wanted)
        : new DecodeException(Fault.MISMATCH, describe(bytes, wanted));
  }

  /// {@return such as `gzip data, not a JPEG`}
  public static String describe(MemorySegment bytes, String wanted) {
    if (bytes.byteSize() == 0) {
      return "no bytes at all, not " + wanted;
    }
    String name = name(bytes);
    String what = name == null ? "not " + wanted : name + ", not " + wanted;
    if (name != null && !name.equals(PLAIN)) {
      String advice = advice(bytes);
      return advice.isEmpty() ? what : what + ": " + advice;
    }
    var text = new StringBuilder(what).append(": starts with");
    for (long i = 0; i < Math.min(4, bytes.byteSize()); i++) {
      text.append(" %02x".formatted(bytes.get(JAVA_BYTE, i) & 0xff));
    }
    return text.toString();
  }

  /// {@return what bytes are, with its article, or null if that is not known}
  public static @Nullable String name(MemorySegment bytes) {
    ImageFormat format = ImageFormat.detect(bytes);
    if (format != null) {
      return format.title();
    }
    Kind kind = kind(bytes);
    if (kind != null) {
      return kind.name;
    }
    if (starts(bytes, TAR_MAGIC, "ustar")) {
      return "a tar archive";
    }
    if (starts(bytes, DICOM_MAGIC, "DICM")) {
      return "a DICOM file";
    }
    return text(bytes);
  }

  /// {@return what to do about bytes that have a name; empty if there is nothing to say}
  public static String advice(MemorySegment bytes) {
    Kind kind = ImageFormat.detect(bytes) == null ? kind(bytes) : null;
    return kind == null ? "" : kind.advice;
  }

  private static @Nullable Kind kind(MemorySegment bytes) {
    for (Kind kind : KNOWN) {
      if (starts(bytes, 0, kind.magic)) {
        return kind;
      }
    }
    return null;
  }

  /// {@return what kind of text it is, or null if it is none}
  private static @Nullable String text(MemorySegment bytes) {
    byte[] first = bytes.asSlice(0, Math.min(ENOUGH, bytes.byteSize())).toArray(JAVA_BYTE);
    int control = 0;
    for (byte b : first) {
      control += b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t' ? 1 : 0;
    }
    if (control > 0 || !isUtf8(first)) {
      return null;
    }
    String text = new String(first, StandardCharsets.UTF_8).replace("\ufeff", "").strip();
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.startsWith("<!doctype html")
        || lower.startsWith("<html")
        || lower.contains("<head")) {
      return "an HTML page";
    }
    if (lower.startsWith("<svg") || (lower.startsWith("<?xml") && lower.contains("<svg"))) {
      return "an SVG drawing";
    }
    if (lower.startsWith("<")) {
      return "XML text";
    }
    if (first.length < MIN_TEXT) {
      return null;
    }
    return lower.startsWith("{") || lower.startsWith("[") ? "JSON text" : PLAIN;
  }

  /// {@return whether bytes are UTF-8, the last character perhaps cut}
  private static boolean isUtf8(byte[] bytes) {
    for (int cut = 0; cut < 4 && cut < bytes.length; cut++) {
      try {
        var _ =
            StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes, 0, bytes.length - cut));
        return true;
      } catch (CharacterCodingException e) {
        if (bytes.length < ENOUGH) {
          return false;
        }
      }
    }
    return false;
  }

  private static boolean starts(MemorySegment bytes, int at, String magic) {
    if (bytes.byteSize() < at + magic.length()) {
      return false;
    }
    for (int i = 0; i < magic.length(); i++) {
      char c = magic.charAt(i);
      if (c != '.' && (bytes.get(JAVA_BYTE, at + i) & 0xff) != c) {
        return false;
      }
    }
    return true;
  }
}
