package io.headrace.cloud;

import io.headrace.store.Fanout;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/// A bucket by the AWS SDK. Every range that is read names the ETag that was listed, so that bytes
/// of two contents never mix. Whole objects are checked by the checksum that was stored with them;
/// uploads carry one.
final class S3Bucket implements Bucket {
  /// Objects up to this size are uploaded by one request.
  private static final long ONE_PUT = 16L << 20;

  private static final int MAX_PARTS = 10_000;

  /// The largest object that a server copies by one request.
  private static final long ONE_COPY = 5L << 30;

  private static final int CHUNK = 64 << 10;

  private final String name;
  private final S3Client client;
  private final Network network;
  private final Gate gate = new Gate();

  S3Bucket(String name, Network network) {
    this.name = name;
    this.network = network;
    client = S3Clients.client(new Watch());
  }

  /// Sees every single attempt.
  private final class Watch implements ExecutionInterceptor {
    @Override
    public void beforeTransmission(
        Context.BeforeTransmission context, ExecutionAttributes attributes) {
      network.request();
    }

    @Override
    public void afterTransmission(
        Context.AfterTransmission context, ExecutionAttributes attributes) {
      int status = context.httpResponse().statusCode();
      if (status == 503 || status == 429) {
        gate.slower();
      }
    }
  }

  /// One call of the SDK.
  private interface Call<T> {
    T run();
  }

  private <T> T call(String key, Call<T> call) throws IOException {
    gate.enter();
    boolean well = false;
    try {
      T answer = call.run();
      well = true;
      return answer;
    } catch (SdkException e) {
      throw failure(key, e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      gate.leave(well);
    }
  }

  private String address(String key) {
    return "s3://%s/%s".formatted(name, key);
  }

  private IOException failure(String key, SdkException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ChangedObjectException changed) {
        return changed;
      }
    }
    if (e instanceof AbortedException) {
      return (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
    if (e instanceof NoSuchBucketException) {
      return (IOException)
          new NoSuchFileException(address(key), null, "there is no such bucket").initCause(e);
    }
    if (e instanceof S3Exception s3) {
      int status = s3.statusCode();
      if (status == 404) {
        return (IOException)
            new NoSuchFileException(address(key), null, "no such object").initCause(e);
      }
      if (status == 401 || status == 403) {
        String code = s3.awsErrorDetails() == null ? "" : s3.awsErrorDetails().errorCode();
        return (IOException)
            new AccessDeniedException(
                    address(key),
                    null,
                    "the server refuses access (%s): look at credentials, region and the policy of"
                            .formatted(code == null ? "status " + status : code)
                        + " the bucket")
                .initCause(e);
      }
      return new IOException(
          "%s: the server answers %d (%s), also after %d attempts"
              .formatted(address(key), status, said(s3), s3.numAttempts()),
          e);
    }
    String said = String.valueOf(e.getMessage());
    if (said.startsWith("Unable to load credentials")) {
      return new IOException(
          address(key)
              + ": no credentials are found: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
              + " AWS_PROFILE; or HEADRACE_S3_ANONYMOUS=true for a public bucket",
          e);
    }
    return new IOException(
        "%s: %s, after %d attempts".formatted(address(key), root(e), e.numAttempts()), e);
  }

  private static String said(S3Exception e) {
    var details = e.awsErrorDetails();
    String code = details == null ? null : details.errorCode();
    String message = details == null ? null : details.errorMessage();
    return code == null ? "no reason given" : message == null ? code : code + ": " + message;
  }

  /// {@return what the network said, without what the SDK wrote around it}
  private static String root(Throwable e) {
    Throwable at = e;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return at.getClass().getSimpleName() + ": " + at.getMessage();
  }

  @Override
  public @Nullable Found stat(String key) throws IOException {
    try {
      HeadObjectResponse head = call(key, () -> client.headObject(b -> b.bucket(name).key(key)));
      return found(
          CloudFileSystem.name(key), head.contentLength(), head.eTag(), head.lastModified());
    } catch (NoSuchFileException e) {
      if (e.getCause() instanceof NoSuchBucketException) {
        throw e;
      }
      return null;
    }
  }

  private static Found found(
      String name, @Nullable Long size, @Nullable String etag, @Nullable Instant modified) {
    return new Found(
        name,
        size == null ? 0 : size,
        etag == null ? "" : etag.replace("\"", ""),
        modified == null ? 0 : modified.toEpochMilli(),
        false,
        System.nanoTime());
  }

  @Override
  public boolean holds(String prefix) throws IOException {
    return call(
        prefix,
        () -> client.listObjectsV2(b -> b.bucket(name).prefix(prefix).maxKeys(1)).hasContents());
  }

  @Override
  public void list(String prefix, Consumer<Found> to) throws IOException {
    @Nullable String next = null;
    do {
      String from = next;
      var request =
          ListObjectsV2Request.builder()
              .bucket(name)
              .prefix(prefix)
              .delimiter("/")
              .continuationToken(from)
              .build();
      var page = call(prefix, () -> client.listObjectsV2(request));
      page.commonPrefixes()
          .forEach(
              folder -> {
                String inside = folder.prefix().substring(prefix.length());
                to.accept(Found.folder(inside.substring(0, inside.length() - 1)));
              });
      page.contents()
          .forEach(
              object -> {
                String inside = object.key().substring(prefix.length());
                if (!inside.isEmpty()) {
                  to.accept(found(inside, object.size(), object.eTag(), object.lastModified()));
                }
              });
      next = page.nextContinuationToken();
    } while (next != null);
  }

  @Override
  public void read(String key, Found known, long position, ByteBuffer into) throws IOException {
    int length = into.remaining();
    if (length == 0) {
      return;
    }
    boolean whole = position == 0 && length == known.size();
    int start = into.position();
    var request =
        GetObjectRequest.builder()
            .bucket(name)
            .key(key)
            .ifMatch(known.etag().isEmpty() ? null : '"' + known.etag() + '"');
    if (whole) {
      request.checksumMode(ChecksumMode.ENABLED);
    } else {
      request.range("bytes=%d-%d".formatted(position, position + length - 1));
    }
    ResponseTransformer<GetObjectResponse, Integer> fill =
        (response, in) -> {
          into.position(start);
          requireSame(key, known, response);
          requireRange(key, response, whole, position, length);
          try {
            copy(in, into);
            if (whole && in.read() >= 0) {
              throw new EOFException("more bytes than were listed");
            }
          } catch (IOException e) {
            throw RetryableException.create(
                "the answer broke off after %d of %d bytes (%s)"
                    .formatted(into.position() - start, length, e.getMessage()),
                e);
          }
          return length;
        };
    try {
      int _ = call(key, () -> client.getObject(request.build(), fill));
    } catch (NoSuchFileException e) {
      throw new ChangedObjectException(address(key), known.etag(), "deleted");
    } catch (IOException e) {
      if (e.getCause() instanceof S3Exception s3
          && (s3.statusCode() == 412 || s3.statusCode() == 416)) {
        Found now = stat(key);
        throw (IOException)
            new ChangedObjectException(
                    address(key), known.etag(), now == null ? "deleted" : now.etag())
                .initCause(e);
      }
      throw e;
    }
  }

  /// Servers that pass over the condition tell the ETag all the same.
  private void requireSame(String key, Found known, GetObjectResponse response)
      throws ChangedObjectException {
    String etag = response.eTag() == null ? "" : response.eTag().replace("\"", "");
    if (!known.etag().isEmpty() && !etag.isEmpty() && !etag.equals(known.etag())) {
      throw new ChangedObjectException(address(key), known.etag(), etag);
    }
  }

  private static void requireRange(
      String key, GetObjectResponse response, boolean whole, long position, int length) {
    String range = Objects.requireNonNullElse(response.contentRange(), "");
    boolean right =
        whole
            ? range.isEmpty()
            : range.startsWith("bytes %d-%d/".formatted(position, position + length - 1));
    if (!right || !Long.valueOf(length).equals(response.contentLength())) {
      throw RetryableException.create(
          "asked for %d bytes at %d of %s, the server sends %d, range '%s'"
              .formatted(length, position, key, response.contentLength(), range));
    }
  }

  private void copy(InputStream in, ByteBuffer into) throws IOException {
    byte[] chunk = new byte[Math.min(CHUNK, into.remaining())];
    while (into.hasRemaining()) {
      int n = in.read(chunk, 0, Math.min(chunk.length, into.remaining()));
      if (n < 0) {
        throw new EOFException("the connection was closed");
      }
      network.received(n);
      into.put(chunk, 0, n);
    }
  }

  @Override
  public void put(String key, Path file, boolean create) throws IOException {
    long size = Files.size(file);
    if (size <= ONE_PUT) {
      var request =
          PutObjectRequest.builder()
              .bucket(name)
              .key(key)
              .checksumAlgorithm(ChecksumAlgorithm.CRC32_C);
      if (create) {
        request.ifNoneMatch("*");
      }
      try {
        var _ = call(key, () -> client.putObject(request.build(), RequestBody.fromFile(file)));
      } catch (IOException e) {
        if (e.getCause() instanceof S3Exception s3 && s3.statusCode() == 412) {
          throw (IOException) new FileAlreadyExistsException(address(key)).initCause(e);
        }
        throw e;
      }
      return;
    }
    String upload =
        call(
            key,
            () ->
                client
                    .createMultipartUpload(
                        b -> b.bucket(name).key(key).checksumAlgorithm(ChecksumAlgorithm.CRC32_C))
                    .uploadId());
    boolean done = false;
    try {
      List<CompletedPart> parts = upload(key, upload, file, size);
      var _ =
          call(
              key,
              () ->
                  client.completeMultipartUpload(
                      b -> {
                        b.bucket(name).key(key).uploadId(upload);
                        b.multipartUpload(u -> u.parts(parts));
                        if (create) {
                          b.ifNoneMatch("*");
                        }
                      }));
      done = true;
    } finally {
      if (!done) {
        abort(key, upload);
      }
    }
  }

  private List<CompletedPart> upload(String key, String upload, Path file, long size)
      throws IOException {
    long each = Math.max(ONE_PUT, (size + MAX_PARTS - 1) / MAX_PARTS);
    int count = (int) ((size + each - 1) / each);
    var parts = new CompletedPart[count];
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      numbers.add(i);
    }
    Fanout.each(
        numbers,
        i -> {
          long from = i * each;
          long length = Math.min(each, size - from);
          ContentStreamProvider bytes = () -> part(file, from);
          var sent =
              call(
                  key,
                  () ->
                      client.uploadPart(
                          b ->
                              b.bucket(name)
                                  .key(key)
                                  .uploadId(upload)
                                  .partNumber(i + 1)
                                  .checksumAlgorithm(ChecksumAlgorithm.CRC32_C),
                          RequestBody.fromContentProvider(
                              bytes, length, "application/octet-stream")));
          parts[i] =
              CompletedPart.builder()
                  .partNumber(i + 1)
                  .eTag(sent.eTag())
                  .checksumCRC32C(sent.checksumCRC32C())
                  .build();
        });
    return List.of(parts);
  }

  private static InputStream part(Path file, long from) {
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      return new BufferedInputStream(Channels.newInputStream(channel.position(from)), CHUNK);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void abort(String key, String upload) throws IOException {
    boolean interrupted = Thread.interrupted(); // so that this request is still made
    try {
      var _ =
          call(
              key,
              () -> client.abortMultipartUpload(b -> b.bucket(name).key(key).uploadId(upload)));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void copy(Found from, String fromKey, String toKey) throws IOException {
    if (from.size() > ONE_COPY) {
      copyInParts(from, fromKey, toKey);
      return;
    }
    var _ =
        call(
            toKey,
            () ->
                client.copyObject(
                    CopyObjectRequest.builder()
                        .sourceBucket(name)
                        .sourceKey(fromKey)
                        .copySourceIfMatch(from.etag().isEmpty() ? null : '"' + from.etag() + '"')
                        .destinationBucket(name)
                        .destinationKey(toKey)
                        .build()));
  }

  private void copyInParts(Found from, String fromKey, String toKey) throws IOException {
    String upload =
        call(toKey, () -> client.createMultipartUpload(b -> b.bucket(name).key(toKey)).uploadId());
    boolean done = false;
    try {
      List<CompletedPart> parts = new ArrayList<>();
      for (long at = 0; at < from.size(); at += ONE_COPY / 10) {
        long start = at;
        long end = Math.min(from.size(), at + ONE_COPY / 10) - 1;
        int number = parts.size() + 1;
        String etag =
            call(
                toKey,
                () ->
                    client
                        .uploadPartCopy(
                            b ->
                                b.sourceBucket(name)
                                    .sourceKey(fromKey)
                                    .copySourceRange("bytes=%d-%d".formatted(start, end))
                                    .destinationBucket(name)
                                    .destinationKey(toKey)
                                    .uploadId(upload)
                                    .partNumber(number))
                        .copyPartResult()
                        .eTag());
        parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
      }
      var _ =
          call(
              toKey,
              () ->
                  client.completeMultipartUpload(
                      b ->
                          b.bucket(name)
                              .key(toKey)
                              .uploadId(upload)
                              .multipartUpload(u -> u.parts(parts))));
      done = true;
    } finally {
      if (!done) {
        abort(toKey, upload);
      }
    }
  }

  @Override
  public void delete(String key) throws IOException {
    var _ = call(key, () -> client.deleteObject(b -> b.bucket(name).key(key)));
  }

  @Override
  public int dropUploads(String prefix) throws IOException {
    var uploads =
        call(
            prefix,
            () ->
                client
                    .listMultipartUploadsPaginator(b -> b.bucket(name).prefix(prefix))
                    .uploads()
                    .stream()
                    .toList());
    for (var upload : uploads) {
      abort(upload.key(), upload.uploadId());
    }
    return uploads.size();
  }
}
