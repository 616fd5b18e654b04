package io.headrace.cli;

/// Exit codes of every command.
final class Exit {
  static final int DONE = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int BAD_DATA = 3;

  private Exit() {}
}
