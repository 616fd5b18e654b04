/// Buckets and web folders as file systems: `s3://`, `gs://`, `az://`, `hdfs://`, `http(s)://` and
/// `hf://` paths work wherever a local path does.
///
/// Every file system is a [java.nio.file.spi.FileSystemProvider], found as a service. The wire
/// protocols are the libraries': the AWS SDK's for S3, Apache OpenDAL's for the rest.
@NullMarked
package io.headrace.cloud;

import org.jspecify.annotations.NullMarked;
