package io.headrace.format.tfrecord;

final class TfRecords {
  private TfRecords() {}
}
