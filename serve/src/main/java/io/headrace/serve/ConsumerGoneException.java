package io.headrace.serve;

import java.io.IOException;

/// Nobody is there any more to hear a message.
final class ConsumerGoneException extends IOException {
  private static final long serialVersionUID = 1L;

  ConsumerGoneException(IOException cause) {
    super("the consumer is gone", cause);
  }
}
