package io.headrace.interop.pcr;

/// Tags of the protobuf fields in records and indexes. Those from number 1,000 on are ours: other
/// readers ignore them.
final class Tags {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int START_GROUP = 3;
  static final int END_GROUP = 4;
  static final int FIXED32 = 5;

  /// `MetadataRecord.labels`, one by one as proto2 writes them.
  static final int LABEL = 1 << 3 | VARINT;

  /// `MetadataRecord.labels`, packed as proto3 writes them.
  static final int LABELS = 1 << 3 | LENGTH;

  static final int LEVELS = 2 << 3 | VARINT;
  static final int VERSION = 3 << 3 | VARINT;

  /// `ScanGroup.image_bytes`.
  static final int PART = 1 << 3 | LENGTH;

  /// `DatasetOffsetsIndex.records`.
  static final int RECORD = 1 << 3 | LENGTH;

  static final int RECORD_NAME = 1 << 3 | LENGTH;

  /// `RecordOffsetsIndex.offsets`, which are lengths.
  static final int RECORD_LENGTH = 2 << 3 | VARINT;

  static final int RECORD_LENGTHS = 2 << 3 | LENGTH;

  /// Ours, in the metadata, once an image: its key and fields.
  static final int EXTRA = 1000 << 3 | LENGTH;

  static final int EXTRA_KEY = 1 << 3 | LENGTH;
  static final int EXTRA_FIELD = 2 << 3 | LENGTH;
  static final int FIELD_NAME = 1 << 3 | LENGTH;
  static final int FIELD_VALUE = 2 << 3 | LENGTH;
  static final int FIELD_IS_FEATURE = 3 << 3 | VARINT;

  /// Ours, in a scan group after an image's last part: what the image has after its last scan,
  /// if that is not just an end marker.
  static final int TAIL = 1001 << 3 | LENGTH;

  /// Ours, first in the metadata: fixed 64-bit numbers, namely how many images there are, and how
  /// many bytes the metadata and each scan group take.
  static final int OWN_INDEX = 1002 << 3 | LENGTH;

  private Tags() {}
}
