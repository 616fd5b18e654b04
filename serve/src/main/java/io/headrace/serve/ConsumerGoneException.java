package io.headrace.serve;

import java.io.IOException;

/// The consumer is gone and can get no message.
final class ConsumerGoneException extends IOException {
  private static final long serialVersionUID = 1L;

  ConsumerGoneException(IOException cause) {
    super("the consumer is gone", cause);
  }
}
