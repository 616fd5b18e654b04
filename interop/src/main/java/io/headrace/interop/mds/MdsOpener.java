package io.headrace.interop.mds;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.OpenOptions;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens folders of MDS shards: those whose `index.json` names `mds` at its beginning.
public final class MdsOpener implements DatasetOpener {
  private static final int FIRST_BYTES = 64 << 10;

  /// For the service loader.
  public MdsOpener() {}

  @Override
  public String name() {
    return "mds";
  }

  @Override
  public boolean opens(Path path) throws IOException {
    Path index = path.resolve(MdsIndex.FILE);
    if (!Files.isDirectory(path) || !Files.isRegularFile(index)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(index)) {
      String first = new String(in.readNBytes(FIRST_BYTES), ISO_8859_1);
      return first.contains("\"mds\"") && first.contains("\"shards\"");
    }
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    return MdsDataset.open(path, options, store);
  }
}
