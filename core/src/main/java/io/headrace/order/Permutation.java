package io.headrace.order;

final class Permutation {
  private Permutation() {}
}
