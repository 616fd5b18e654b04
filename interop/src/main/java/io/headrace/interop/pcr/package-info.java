/// Progressive Compressed Records, as the format's own tools write and read them: record files
/// whose beginning is a whole dataset of lower fidelity, and an index over them.
///
/// Source: the code of mkuchnik/PCR_Release (`PCR_Converter.py`, `src/pcr.cpp`,
/// `proto/LightMLRecords.proto`) and mkuchnik/TF_PCR (`progressive_compressed_record.proto`,
/// `pcr_parsing.cc`). Leaves out records of version 2, which hold no protobuf messages, and the
/// RocksDB index.
@NullMarked
package io.headrace.interop.pcr;

import org.jspecify.annotations.NullMarked;
