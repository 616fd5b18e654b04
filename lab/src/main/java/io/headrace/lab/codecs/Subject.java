package io.headrace.lab.codecs;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// What one kind of benchmark works on: items in memory, and how one is encoded and decoded.
/// Confined to one thread. Its memory is its own and that of the arena it was given.
///
/// @param <E> kind of encodings
/// @param <I> kind of items
abstract class Subject<E, I extends Subject.Item> implements AutoCloseable {
  /// What is encoded, off heap.
  interface Item {
    /// {@return it as encodings take it}
    MemorySegment plain();

    /// {@return it as it was found}
    default MemorySegment stored() {
      return plain();
    }
  }

  final List<I> items;
  final Block decoded = new Block(MemoryBudget.unbounded());
  private final String content;
  private final String base;

  /// @param items at least one
  /// @param content what they are, such as `64 images`
  /// @param base what ratios are of
  Subject(List<I> items, String content, String base) {
    this.items = items;
    this.content = content;
    this.base = base;
  }

  /// {@return what the items are, such as `64 images`}
  final String content() {
    return content;
  }

  /// {@return the base of ratios}
  final String base() {
    return base;
  }

  /// {@return bytes of all items, as [#base] says}
  final long baseBytes() {
    return items.stream().mapToLong(item -> item.stored().byteSize()).sum();
  }

  /// {@return bytes of all items, decoded}
  final long plainBytes() {
    return items.stream().mapToLong(item -> item.plain().byteSize()).sum();
  }

  /// {@return how long all sound plays; 0 if this is none}
  double seconds() {
    return 0;
  }

  /// {@return the settings that words ask for, as [Setting#pick] says}
  abstract List<Setting<E>> settings(List<String> words);

  /// Encodes an item.
  ///
  /// @param out takes the encoded item at its start
  /// @return bytes of it
  /// @throws DecodeException if the encoding cannot hold it
  /// @throws io.headrace.error.ConfigException if it cannot hold such, or a library is missing
  abstract long encode(I item, E encoding, Block out) throws DecodeException, IOException;

  /// Decodes an item.
  ///
  /// @param encoded by [#encode], or as found
  abstract void decode(I item, MemorySegment encoded, Setting<E> setting)
      throws DecodeException, IOException;

  /// Waits until decoding is as fast as it gets, where that takes more than decoding itself.
  void ready(Setting<E> setting) {}

  /// {@return what is to be known of a setting's figures, or nothing}
  String note(Setting<E> setting) {
    return "";
  }

  /// {@return how near the decoded items are to the plain ones}
  ///
  /// @param encoded all items
  abstract Quality compare(List<MemorySegment> encoded, Setting<E> setting)
      throws DecodeException, IOException;

  @Override
  public void close() {
    decoded.close();
  }
}
