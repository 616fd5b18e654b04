import org.jspecify.annotations.NullMarked;

/// The `headrace` command.
@NullMarked
module io.headrace.cli {
  requires static org.jspecify;
  requires io.headrace.core;
  requires io.headrace.lab;
  requires info.picocli;
  requires progressbar;
  requires tools.jackson.databind;

  opens io.headrace.cli to
      info.picocli;
}
