package io.headrace.format.tar.archive;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The bytes of an archive, from first to last.
public sealed interface TarBytes permits StreamBytes, PlacedBytes {
  /// {@return bytes of the uncompressed archive passed so far}
  long position();

  /// Copies the next `length` bytes to `into`.
  ///
  /// @return bytes copied: fewer only where the archive ends
  long take(MemorySegment into, long offset, long length) throws IOException;

  /// {@return bytes passed over: fewer than `length` only where the archive ends}
  long skip(long length) throws IOException;

  /// {@return where in a sample's memory [#place] puts the next bytes}
  ///
  /// @param end after what the memory holds
  long placeAt(long end);

  /// Sees to it that a sample's memory holds the next bytes.
  ///
  /// @param end after what the memory holds
  /// @return how many of `length` bytes it holds then: fewer only where the archive ends
  /// @throws DecodeException with [io.headrace.error.Fault#LIMIT] if the memory is too small; some
  ///     of the bytes may have been passed
  long place(Block memory, long end, long length) throws IOException, DecodeException;
}
