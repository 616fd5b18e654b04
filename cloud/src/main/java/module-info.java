import org.jspecify.annotations.NullMarked;

/// Buckets and web folders as file systems, found as services.
@NullMarked
module io.headrace.cloud {
  requires static org.jspecify;
  requires transitive io.headrace.core;
  requires java.net.http;
  requires opendal;
  requires software.amazon.awssdk.auth;
  requires software.amazon.awssdk.awscore;
  requires software.amazon.awssdk.core;
  requires software.amazon.awssdk.http;
  requires software.amazon.awssdk.http.apache5;
  requires software.amazon.awssdk.regions;
  requires software.amazon.awssdk.retries;
  requires software.amazon.awssdk.retries.api;
  requires software.amazon.awssdk.services.s3;
  requires software.amazon.awssdk.utils;
  requires tools.jackson.databind;

  exports io.headrace.cloud;

  provides java.nio.file.spi.FileSystemProvider with
      io.headrace.cloud.HubProvider,
      io.headrace.cloud.OpenDalProvider.Az,
      io.headrace.cloud.OpenDalProvider.Gs,
      io.headrace.cloud.OpenDalProvider.Hdfs,
      io.headrace.cloud.OpenDalProvider.Http,
      io.headrace.cloud.OpenDalProvider.Https,
      io.headrace.cloud.S3Provider;
}
