package io.headrace.codec.learned;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;
import io.headrace.codec.images.ImageCodecs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The laws of every codec, for one with a hyperprior.
final class LearnedContractTest extends ImageCodecContract {
  @BeforeAll
  static void useFixtures() {
    System.setProperty("headrace.models", LearnedCodecTest.FOLDER);
  }

  @AfterAll
  static void useNone() {
    System.clearProperty("headrace.models");
  }

  @Override
  protected ImageEncoding encoding() {
    return ImageCodecs.parse("learned:bmshj2018-hyperprior:3");
  }

  @Override
  protected int tolerance() {
    return 255; // a network of 8 channels; LearnedCodecTest compares with CompressAI's pictures
  }

  @Override
  protected int magic() {
    return 42;
  }

  @Override
  protected boolean storesGrey() {
    return false;
  }

  @Override
  protected boolean checksummed() {
    return true;
  }

  @Override
  protected int repeats() {
    return 3;
  }
}
