package io.headrace.lab.codecs;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// What one kind of benchmark works on: items in memory, and how one is encoded and decoded.
/// Confined to one thread. Its memory is its own and that of the arena it was given.
///
/// @param <E> kind of encodings
interface Subject<E> extends AutoCloseable {
  /// {@return the settings that words ask for, as [Setting#pick] says}
  List<Setting<E>> settings(List<String> words);

  /// {@return how many items there are, at least 1}
  int items();

  /// {@return what the items are, such as `64 images`}
  String content();

  /// {@return the base of ratios}
  String base();

  /// {@return bytes of all items, as [#base] says}
  long baseBytes();

  /// {@return bytes of all items, decoded}
  long plainBytes();

  /// {@return how long all sound plays; 0 if this is none}
  default double seconds() {
    return 0;
  }

  /// {@return an item as it was found, off heap}
  MemorySegment stored(int item);

  /// Encodes an item.
  ///
  /// @param out takes the encoded item at its start
  /// @return bytes of it
  /// @throws DecodeException if the encoding cannot hold it
  /// @throws io.headrace.error.ConfigException if it cannot hold such, or a library is missing
  long encode(int item, E encoding, Block out) throws DecodeException, IOException;

  /// Decodes an item.
  ///
  /// @param encoded by [#encode], or as found
  void decode(int item, MemorySegment encoded, Setting<E> setting)
      throws DecodeException, IOException;

  /// Waits until decoding is as fast as it gets, where that takes more than decoding itself.
  default void ready(Setting<E> setting) {}

  /// {@return what is to be known of a setting's figures, or nothing}
  default String note(Setting<E> setting) {
    return "";
  }

  /// {@return how near the decoded items are to the plain ones}
  ///
  /// @param encoded all items
  Quality compare(List<MemorySegment> encoded, Setting<E> setting)
      throws DecodeException, IOException;

  @Override
  void close();
}
