package io.headrace.pipeline;

import static io.headrace.memory.LittleEndian.F32;
import static io.headrace.memory.LittleEndian.U16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.plain.RawCodec;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.resize.Stage;
import io.headrace.pipeline.resize.Values;
import io.headrace.pipeline.step.Plan;
import io.headrace.tensor.ElementType;
import io.headrace.tensor.TensorDecoder;
import io.headrace.tensor.TensorEncoder;
import io.headrace.tensor.TensorInfo;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Samples of which steps on values, types or axes were done ahead: tensors, stored as a
/// serialised TensorProto or under a tensor codec. What is left to do moves or turns elements
/// over, and changes their type.
///
/// Confined to one thread, and reused.
public final class DoneTensors implements AutoCloseable {
  private static final byte[] BLOB = {'H', 'T', 'N', '1'};

  private final boolean picture;

  /// 2 for spectrograms, 3 for what images become.
  private final int rank;

  private final boolean samples;
  private final DType from;
  private final Layout fromLayout;
  private final DType to;
  private final Layout toLayout;
  private final Values values;
  private final RawCodec raw = new RawCodec();
  private final TensorDecoder decoder;
  private final Block decoded;
  private MemorySegment elements = MemorySegment.NULL;
  private int height;
  private int width;

  /// @param pipeline of which steps were done ahead
  DoneTensors(Pipeline pipeline, MemoryBudget budget) {
    Pipeline ahead = pipeline.ahead();
    picture = ahead.givesPicture();
    boolean sound = pipeline.input() == Pipeline.Input.SOUND;
    rank = sound ? 2 : 3;
    samples = sound && !ahead.givesSpectrogram();
    from = ahead.dtype();
    fromLayout = ahead.layout();
    to = pipeline.dtype();
    toLayout = pipeline.layout();
    values = pipeline.values();
    decoder = new TensorDecoder(budget, TensorEncoder.MAX_BYTES);
    decoded = new Block(budget);
  }

  /// {@return a reader of the samples that some steps gave, or null if no steps were done}
  ///
  /// @param steps as the manifest says them
  public static @Nullable DoneTensors of(String steps, MemoryBudget budget) {
    if (steps.isEmpty()) {
      return null;
    }
    Pipeline pipeline = Pipeline.parse(steps);
    return new DoneTensors(new Pipeline(pipeline.steps(), pipeline.steps().size()), budget);
  }

  /// {@return whether a sample is a tensor, not an image in an image encoding, and no WAV}
  public boolean takes(MemorySegment encoded) {
    return !samples && (!picture || isBlob(encoded));
  }

  /// {@return how the sample is stored, such as `tensor of float32`}
  public String label() {
    return "tensor of " + from.label();
  }

  /// {@return the elements of the sample read last, valid until the next}
  public MemorySegment elements() {
    return elements;
  }

  /// {@return whether a sample is stored under a tensor codec}
  public static boolean isBlob(MemorySegment encoded) {
    if (encoded.byteSize() < BLOB.length) {
      return false;
    }
    for (int i = 0; i < BLOB.length; i++) {
      if (encoded.get(JAVA_BYTE, i) != BLOB[i]) {
        return false;
      }
    }
    return true;
  }

  /// {@return the type under which tensor codecs take elements: of bfloat16 the bits}
  public static ElementType elementType(DType dtype) {
    return switch (dtype) {
      case UINT8 -> ElementType.UINT8;
      case FLOAT16 -> ElementType.FLOAT16;
      case BFLOAT16 -> ElementType.INT16;
      case FLOAT32 -> ElementType.FLOAT32;
    };
  }

  /// Reads a sample.
  ///
  /// @throws DecodeException if it is damaged, or no tensor of the type that the steps give
  public void open(MemorySegment encoded) throws DecodeException {
    int rows;
    int columns;
    int channels;
    boolean planes = fromLayout == Layout.CHW;
    if (isBlob(encoded)) {
      TensorInfo info = decoder.probe(encoded);
      if (info.type() != elementType(from) || info.shape().rank() != rank) {
        throw new DecodeException(
            Fault.MISMATCH,
            "a tensor of %s %s, expected %d dimensions of %s"
                .formatted(info.type().label(), info.shape(), rank, from.label()));
      }
      elements = decoded.ensure(info.bytes()).asSlice(0, info.bytes());
      decoder.decode(encoded, info, elements);
      if (rank == 2) {
        height = info.shape().size(0);
        width = info.shape().size(1);
        return;
      }
      rows = info.shape().size(planes ? 1 : 0);
      columns = info.shape().size(planes ? 2 : 1);
      channels = info.shape().size(planes ? 0 : 2);
    } else {
      elements = raw.tensor(encoded, from, rank);
      if (rank == 2) {
        height = raw.size(0);
        width = raw.size(1);
        return;
      }
      rows = raw.size(planes ? 1 : 0);
      columns = raw.size(planes ? 2 : 1);
      channels = raw.size(planes ? 0 : 2);
    }
    if (channels != 3) {
      throw new DecodeException(
          Fault.MISMATCH, "a tensor of %d channels, expected 3".formatted(channels));
    }
    height = rows;
    width = columns;
  }

  /// {@return rows of the sample read last}
  public int height() {
    return height;
  }

  /// {@return columns of the sample read last}
  public int width() {
    return width;
  }

  /// Copies the elements of the sample read last as float32, which holds them exactly.
  ///
  /// @param to takes them, as many as there are
  void floats(MemorySegment to) {
    long count = to.byteSize() / Float.BYTES;
    for (long i = 0; i < count; i++) {
      float value =
          switch (from) {
            case UINT8 -> elements.get(JAVA_BYTE, i) & 0xff;
            case FLOAT16 -> Float.float16ToFloat(elements.get(U16, 2 * i));
            case BFLOAT16 -> Float.intBitsToFloat(elements.get(U16, 2 * i) << 16);
            case FLOAT32 -> elements.get(F32, 4 * i);
          };
      to.set(F32, 4 * i, value);
    }
  }

  /// Does what is left to the sample read last.
  ///
  /// @param plan of one pass, which only moves elements
  /// @param slot takes the result
  void run(Plan plan, MemorySegment slot) {
    Stage stage = plan.last();
    for (int y = 0; y < stage.height; y++) {
      int row = stage.top + (stage.upended ? stage.height - 1 - y : y);
      boolean rows = from == to && fromLayout == toLayout && !stage.flipped;
      if (rows && fromLayout == Layout.HWC) {
        long n = 3L * from.bytes();
        long at = ((long) row * width + stage.left) * n;
        MemorySegment.copy(elements, at, slot, y * n * stage.width, n * stage.width);
        continue;
      }
      for (int c = 0; c < 3; c++) {
        if (rows) {
          long at = ((long) c * height + row) * width + stage.left;
          long place = ((long) c * stage.height + y) * stage.width;
          long n = from.bytes();
          MemorySegment.copy(elements, n * at, slot, n * place, n * stage.width);
        } else {
          row(stage, c, row, y, slot);
        }
      }
    }
  }

  private void row(Stage stage, int c, int row, int y, MemorySegment slot) {
    for (int x = 0; x < stage.width; x++) {
      int column = stage.left + (stage.flipped ? stage.width - 1 - x : x);
      long at =
          fromLayout == Layout.HWC
              ? 3 * ((long) row * width + column) + c
              : ((long) c * height + row) * width + column;
      long place =
          toLayout == Layout.HWC
              ? 3 * ((long) y * stage.width + x) + c
              : ((long) c * stage.height + y) * stage.width + x;
      switch (from) {
        case UINT8 -> put(slot, place, values.of(c, elements.get(JAVA_BYTE, at) & 0xff));
        case FLOAT32 -> put(slot, place, elements.get(F32, 4 * at));
        case FLOAT16, BFLOAT16 -> slot.set(U16, 2 * place, elements.get(U16, 2 * at));
      }
    }
  }

  private void put(MemorySegment slot, long place, float value) {
    switch (to) {
      case UINT8 -> slot.set(JAVA_BYTE, place, (byte) (int) value);
      case FLOAT16 -> slot.set(U16, 2 * place, Float.floatToFloat16(value));
      case BFLOAT16 -> slot.set(U16, 2 * place, Values.bfloat16(value));
      case FLOAT32 -> slot.set(F32, 4 * place, value);
    }
  }

  /// {@return a picture that is stored under a tensor codec, as the raw image it stands for}
  ///
  /// @param blob uint8 [height, width, 3]
  static MemorySegment unwrap(MemorySegment blob, TensorDecoder decoder, Block to)
      throws DecodeException {
    TensorInfo info = decoder.probe(blob);
    if (info.type() != ElementType.UINT8
        || info.shape().rank() != 3
        || info.shape().size(2) != 3
        || info.bytes() == 0) {
      throw new DecodeException(
          Fault.MISMATCH,
          "a tensor of %s %s where a picture is expected: uint8 [height, width, 3]"
              .formatted(info.type().label(), info.shape()));
    }
    int height = info.shape().size(0);
    int width = info.shape().size(1);
    long head = RawCodec.headBytes(width, height, 3);
    MemorySegment picture = to.ensure(head + info.bytes()).asSlice(0, head + info.bytes());
    long _ = RawCodec.writeHead(width, height, 3, picture);
    decoder.decode(blob, info, picture.asSlice(head));
    return picture;
  }

  @Override
  public void close() {
    decoder.close();
    decoded.close();
  }
}
