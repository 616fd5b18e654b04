package io.headrace.load;

final class Loader {
  private Loader() {}
}
