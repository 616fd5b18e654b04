import org.jspecify.annotations.NullMarked;

/// Says where the time goes and which representation would be faster, with the evidence.
@NullMarked
module io.headrace.lab {
  requires static org.jspecify;
  requires transitive io.headrace.core;
  requires tools.jackson.databind;
  requires java.management;
  requires jdk.management;

  exports io.headrace.lab.codecs;
  exports io.headrace.lab.diagnose;
  exports io.headrace.lab.experiment;
  exports io.headrace.lab.inspect;
  exports io.headrace.lab.machine;
  exports io.headrace.lab.model;
  exports io.headrace.lab.profile;
  exports io.headrace.lab.report;
  exports io.headrace.lab.sweep;
  exports io.headrace.lab.trial;
  exports io.headrace.lab.tune;
}
