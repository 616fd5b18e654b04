// SPDX-License-Identifier: Apache-2.0

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Our side of the tar checks of `./test --peers`:
///
///     PeersTar DATASET…    a line a sample: stem, label, SHA-256 of the image
void main(String[] args) throws IOException {
  for (String arg : args) {
    read(Path.of(arg));
  }
}

void read(Path file) throws IOException {
  try (Dataset data = Datasets.open(file);
      var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
    for (int s = 0; s < data.shards().size(); s++) {
      try (var cursor = data.openCursor(s)) {
        while (cursor.next(sample)) {
          byte[] image = sample.encoded().toArray(ValueLayout.JAVA_BYTE);
          String key = sample.key();
          String stem = key.substring(0, key.indexOf('.', key.lastIndexOf('/') + 1));
          IO.println(stem + "\t" + sample.label() + "\t" + sha256(image));
        }
      }
    }
    for (String warning : data.warnings()) {
      System.err.println(warning);
    }
  }
}

String sha256(byte[] bytes) {
  try {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  } catch (NoSuchAlgorithmException e) {
    throw new AssertionError("every JDK has it", e);
  }
}
