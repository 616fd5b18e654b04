package io.headrace.serve;

import java.io.IOException;

/// The server already has a consumer.
final class BusyException extends IOException {
  private static final long serialVersionUID = 1L;

  BusyException() {
    super(
        "this server has a consumer already, and hands each batch to one only: start a server for"
            + " each rank, with --rank R/W");
  }
}
