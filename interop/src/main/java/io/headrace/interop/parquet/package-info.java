/// Image datasets in Parquet files, as the Hugging Face `datasets` library writes and names them.
///
/// Reads through `dev.hardwood:hardwood-core`: 0.7 MB and nothing else, where parquet-hadoop brings
/// 77 MB of Hadoop and DuckDB 80 MB of native code; its optional decompressors are those that core
/// has anyway. A row group's columns are decoded in order, batch by batch, so these datasets
/// stream: a shuffled read would decode a row group for each sample. Leaves out writing, nested
/// columns but the image's own, and encrypted files.
@NullMarked
package io.headrace.interop.parquet;

import org.jspecify.annotations.NullMarked;
