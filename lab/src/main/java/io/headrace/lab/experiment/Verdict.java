package io.headrace.lab.experiment;

/// Whether a claim holds, computed.
///
/// @param outcome in a word
/// @param measured the number beside the paper's; empty if there is none
/// @param reason one line that says why, from the data
public record Verdict(Outcome outcome, String measured, String reason) {
  /// In a word.
  public enum Outcome {
    /// The data show what the paper says.
    HOLDS("holds"),
    /// The data do not show it.
    FAILS("does not hold here"),
    /// There are no data.
    OPEN("not measured");

    private final String words;

    Outcome(String words) {
      this.words = words;
    }

    /// {@return it in words}
    public String words() {
      return words;
    }
  }

  /// {@return the verdict on a condition}
  static Verdict of(boolean holds, String measured, String reason) {
    return new Verdict(holds ? Outcome.HOLDS : Outcome.FAILS, measured, reason);
  }

  /// {@return that there are no data, and why}
  static Verdict open(String why) {
    return new Verdict(Outcome.OPEN, "", why);
  }
}
