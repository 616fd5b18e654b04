package io.headrace.cloud;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.s3.S3Client;

/// Clients of S3 that share their connections. Credentials, region and endpoint come from where AWS
/// tools take them: environment, system properties, profile, web identity, container, instance.
final class S3Clients {
  private static final int ATTEMPTS = 10;
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private S3Clients() {}

  /// Connections, made when they are first needed.
  private static final class Pool {
    static final SdkHttpClient HTTP =
        Apache5HttpClient.builder()
            .maxConnections(2 * Gate.MAX)
            .connectionTimeout(Duration.ofSeconds(10))
            .connectionAcquisitionTimeout(Duration.ofMinutes(2))
            .socketTimeout(Duration.ofMillis(Long.getLong("headrace.cloud.timeoutMillis", 30_000)))
            .build();
  }

  /// {@return a client}
  ///
  /// @param watch sees every attempt
  static S3Client client(ExecutionInterceptor watch) {
    var client =
        S3Client.builder()
            .httpClient(Pool.HTTP)
            .overrideConfiguration(
                options ->
                    options
                        .addExecutionInterceptor(watch)
                        .retryStrategy(
                            AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(ATTEMPTS)
                                .circuitBreakerEnabled(false)
                                .backoffStrategy(
                                    BackoffStrategy.exponentialDelay(SHORTEST, LONGEST))
                                .throttlingBackoffStrategy(
                                    BackoffStrategy.exponentialDelay(
                                        SHORTEST.multipliedBy(2), LONGEST))
                                .build()))
            .crossRegionAccessEnabled(!ownEndpoint())
            .forcePathStyle(ownEndpoint());
    if (region() == null) {
      client.region(Region.US_EAST_1);
    }
    if (Boolean.parseBoolean(System.getenv("HEADRACE_S3_ANONYMOUS"))) {
      client.credentialsProvider(AnonymousCredentialsProvider.create());
    }
    return client.build();
  }

  /// {@return whether another server than Amazon's is asked, which as a rule has no host name for
  ///     each bucket}
  private static boolean ownEndpoint() {
    return System.getenv("AWS_ENDPOINT_URL") != null
        || System.getenv("AWS_ENDPOINT_URL_S3") != null
        || System.getProperty("aws.endpointUrl") != null
        || System.getProperty("aws.endpointUrlS3") != null;
  }

  private static @Nullable Region region() {
    try {
      return DefaultAwsRegionProviderChain.builder().build().getRegion();
    } catch (SdkClientException e) {
      return null;
    }
  }
}
