package io.headrace.tensor;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.memory.MemoryBudget;
import io.headrace.tensor.TensorCodec.Adaptive;
import io.headrace.tensor.TensorCodec.Cheapest;
import io.headrace.tensor.TensorCodec.Csr;
import io.headrace.tensor.TensorCodec.Fpc;
import io.headrace.tensor.TensorCodec.Lz4;
import io.headrace.tensor.TensorCodec.Rle;
import io.headrace.tensor.TensorCodec.Shuffled;
import io.headrace.tensor.TensorCodec.Store;
import io.headrace.tensor.TensorCodec.Zfp;
import io.headrace.tensor.TensorCodec.ZfpAccuracy;
import io.headrace.tensor.TensorCodec.ZfpRate;
import io.headrace.tensor.TensorCodec.ZfpReversible;
import io.headrace.tensor.TensorCodec.Zvc;
import io.headrace.tensor.payload.AdaptivePayload;
import io.headrace.tensor.payload.CsrPayload;
import io.headrace.tensor.payload.FpcPayload;
import io.headrace.tensor.payload.PackedPayload;
import io.headrace.tensor.payload.Payload;
import io.headrace.tensor.payload.RlePayload;
import io.headrace.tensor.payload.StorePayload;
import io.headrace.tensor.payload.ZfpPayload;
import io.headrace.tensor.payload.ZvcPayload;
import java.util.HashMap;
import java.util.Map;

/// One worker's codecs, made when first asked for, and their numbers in blobs.
final class PayloadSet implements AutoCloseable {
  private final MemoryBudget budget;
  private final Map<TensorCodec, Payload> made = new HashMap<>();

  PayloadSet(MemoryBudget budget) {
    this.budget = budget;
  }

  /// {@return the codec at work}
  Payload of(TensorCodec codec) {
    Payload payload = made.get(codec);
    if (payload == null) {
      payload = make(codec);
      made.put(codec, payload);
    }
    return payload;
  }

  private Payload make(TensorCodec codec) {
    return switch (codec) {
      case Store _ -> new StorePayload();
      case Zvc _ -> new ZvcPayload();
      case Rle _ -> new RlePayload();
      case Csr _ -> new CsrPayload();
      case Lz4(int level) ->
          new PackedPayload("lz4", new BlobCompression.Lz4(level), false, budget);
      case Shuffled(int level) ->
          new PackedPayload("shuffle", new BlobCompression.Zstd(level), true, budget);
      case Fpc(int level) -> new FpcPayload(level, budget);
      case Adaptive(int level) -> new AdaptivePayload(level, budget);
      case ZfpAccuracy(double tolerance) -> new ZfpPayload(ZfpPayload.ACCURACY, tolerance, budget);
      case ZfpRate(double bits) -> new ZfpPayload(ZfpPayload.RATE, bits, budget);
      case ZfpReversible _ -> new ZfpPayload(ZfpPayload.REVERSIBLE, 0, budget);
      case Cheapest _ -> throw new IllegalArgumentException("a choice has no payload");
    };
  }

  /// {@return the number of a codec in a blob's header}
  static int number(TensorCodec codec) {
    return switch (codec) {
      case Store _ -> 0;
      case Zvc _ -> 1;
      case Rle _ -> 2;
      case Csr _ -> 3;
      case Lz4 _ -> 4;
      case Shuffled _ -> 5;
      case Fpc _ -> 6;
      case Adaptive _ -> 7;
      case Zfp _ -> 8;
      case Cheapest _ -> throw new IllegalArgumentException("a choice has no number");
    };
  }

  @Override
  public void close() {
    made.values().forEach(Payload::close);
    made.clear();
  }
}
