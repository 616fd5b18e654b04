package io.headrace.cloud;

import java.net.URI;

/// `s3://BUCKET/KEY`, of Amazon's and of every server that speaks its protocol.
public final class S3Provider extends CloudProvider {
  /// For the service loader.
  public S3Provider() {
    super("s3");
  }

  @Override
  Bucket connect(URI root) {
    return new S3Bucket(root.getAuthority(), network);
  }
}
