package io.headrace.flight;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import org.apache.arrow.flight.CallHeaders;
import org.apache.arrow.flight.CallInfo;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightServerMiddleware;
import org.apache.arrow.flight.RequestContext;

/// Lets in calls that say one of the tokens, as `authorization: Bearer TOKEN` (RFC 6750).
final class Tokens implements FlightServerMiddleware.Factory<Tokens.Passed> {
  static final String HEADER = "authorization";
  static final String SCHEME = "Bearer ";

  private final List<byte[]> tokens;

  /// @throws ConfigException if the file has no token
  Tokens(Path file) throws IOException {
    tokens =
        Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .map(line -> line.getBytes(UTF_8))
            .toList();
    if (tokens.isEmpty()) {
      throw new ConfigException(file + ": no token: expected one on each line");
    }
  }

  @Override
  public Passed onCallStarted(CallInfo info, CallHeaders headers, RequestContext context) {
    String said = headers.get(HEADER);
    boolean known = false;
    if (said != null && said.startsWith(SCHEME)) {
      byte[] token = said.substring(SCHEME.length()).strip().getBytes(UTF_8);
      for (byte[] one : tokens) { // all of them, so that time tells nothing
        known |= MessageDigest.isEqual(one, token);
      }
    }
    if (!known) {
      throw CallStatus.UNAUTHENTICATED
          .withDescription(said == null ? "a token is asked for" : "an unknown token")
          .toRuntimeException();
    }
    return new Passed();
  }

  /// A call that was let in.
  static final class Passed implements FlightServerMiddleware {
    @Override
    public void onBeforeSendingHeaders(CallHeaders headers) {}

    @Override
    public void onCallCompleted(CallStatus status) {}

    @Override
    public void onCallErrored(Throwable error) {}
  }
}
