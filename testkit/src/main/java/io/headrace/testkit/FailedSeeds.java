package io.headrace.testkit;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/// Prints the display name of each failed test. A property test has its seed in it
/// (`-Dheadrace.seed=N`), which Maven's own lines leave out.
public final class FailedSeeds implements TestExecutionListener {
  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest() && result.getStatus() == TestExecutionResult.Status.FAILED) {
      System.out.println("failed: " + test.getLegacyReportingName() + ": " + test.getDisplayName());
    }
  }
}
