package io.headrace.convert;

final class Converter {
  private Converter() {}
}
