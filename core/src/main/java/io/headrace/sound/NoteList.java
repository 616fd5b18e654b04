package io.headrace.sound;

import io.headrace.error.Fault;
import io.headrace.sound.framing.Notes;
import java.util.ArrayList;
import java.util.List;

/// What was odd about one sound.
final class NoteList implements Notes {
  private final List<AudioNote> notes = new ArrayList<>();

  @Override
  public void add(Fault fault, String text) {
    notes.add(new AudioNote(fault, text));
  }

  void clear() {
    notes.clear();
  }

  /// {@return all of them, until the next sound}
  List<AudioNote> all() {
    return notes;
  }
}
