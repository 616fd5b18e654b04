package io.headrace.interop.pcr;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Python pickles of whole numbers and flat lists of them, which is all that an index needs.
///
/// Nothing else is ever built: an opcode that could call code is a fault. Source: CPython,
/// `Lib/pickletools.py`.
final class Pickle {
  private static final Object MARK = new Object();

  private final byte[] bytes;
  private int position;
  private final Deque<Object> stack = new ArrayDeque<>();
  private final Map<Integer, Object> memo = new HashMap<>();

  private Pickle(byte[] bytes) {
    this.bytes = bytes;
  }

  /// {@return the numbers of a pickled list, or of one number}
  ///
  /// @throws DecodeException with [Fault#CORRUPT] if the bytes are not a pickle, with
  ///     [Fault#UNSUPPORTED] if there is something else in it
  static List<Long> read(byte[] bytes) throws DecodeException {
    return new Pickle(bytes).read();
  }

  private List<Long> read() throws DecodeException {
    while (true) {
      int opcode = next();
      switch (opcode) {
        case 0x80 -> next(); // PROTO
        case 0x95 -> number(8); // FRAME
        case ']' -> stack.push(new ArrayList<>());
        case '(' -> stack.push(MARK);
        case 'K' -> stack.push(number(1));
        case 'M' -> stack.push(number(2));
        case 'J' -> stack.push((long) (int) number(4));
        case 0x8a -> stack.push(signed(next()));
        case 'a' -> {
          Object value = pop();
          list().add(value);
        }
        case 'e' -> appends();
        case 'l' -> {
          List<Object> values = toMark();
          stack.push(values);
        }
        case 0x94 -> memo.put(memo.size(), top()); // MEMOIZE
        case 'q' -> memo.put(next(), top());
        case 'r' -> memo.put((int) number(4), top());
        case 'h' -> stack.push(remembered(next()));
        case 'j' -> stack.push(remembered((int) number(4)));
        case '.' -> {
          return result();
        }
        default ->
            throw new DecodeException(
                Fault.UNSUPPORTED,
                "a pickle with opcode %02x at byte %d: only lists of whole numbers are read"
                    .formatted(opcode, position - 1));
      }
    }
  }

  private List<Long> result() throws DecodeException {
    Object value = pop();
    List<?> values = value instanceof List<?> list ? list : List.of(value);
    List<Long> numbers = new ArrayList<>(values.size());
    for (Object each : values) {
      if (!(each instanceof Long number)) {
        throw bad("not a list of whole numbers");
      }
      numbers.add(number);
    }
    return numbers;
  }

  private void appends() throws DecodeException {
    List<Object> values = toMark();
    list().addAll(values);
  }

  private List<Object> toMark() throws DecodeException {
    List<Object> values = new ArrayList<>();
    for (Object value = pop(); value != MARK; value = pop()) {
      values.add(value);
    }
    Collections.reverse(values);
    return values;
  }

  @SuppressWarnings("unchecked") // only lists of anything are ever pushed
  private List<Object> list() throws DecodeException {
    if (top() instanceof List<?> list) {
      return (List<Object>) list;
    }
    throw bad("something is added to what is not a list");
  }

  private Object top() throws DecodeException {
    Object top = stack.peek();
    if (top == null) {
      throw bad("nothing on the stack");
    }
    return top;
  }

  private Object pop() throws DecodeException {
    Object top = top();
    stack.pop();
    return top;
  }

  private Object remembered(int key) throws DecodeException {
    Object value = memo.get(key);
    if (value == null) {
      throw bad("nothing was remembered as %d".formatted(key));
    }
    return value;
  }

  private int next() throws DecodeException {
    if (position == bytes.length) {
      throw bad("it ends early");
    }
    return bytes[position++] & 0xff;
  }

  private long number(int size) throws DecodeException {
    long value = 0;
    for (int i = 0; i < size; i++) {
      value |= (long) next() << (8 * i);
    }
    return value;
  }

  private long signed(int size) throws DecodeException {
    if (size > 8) {
      throw bad("a number of %d bytes".formatted(size));
    }
    long value = number(size);
    int unused = 64 - 8 * size;
    return size == 0 ? 0 : value << unused >> unused;
  }

  private DecodeException bad(String what) {
    return new DecodeException(
        Fault.CORRUPT, "not a pickled list of numbers: %s at byte %d".formatted(what, position));
  }

  /// {@return a list of numbers, as protocol 2 spells it}
  static byte[] list(List<Long> values) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x80, 2, ']', '('});
    values.forEach(value -> put(out, value));
    out.writeBytes(new byte[] {'e', '.'});
    return out.toByteArray();
  }

  /// {@return one number, as protocol 2 spells it}
  static byte[] number(Long value) {
    var out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0x80, 2});
    put(out, value);
    out.write('.');
    return out.toByteArray();
  }

  private static void put(ByteArrayOutputStream out, long value) {
    if (value == (int) value) {
      out.write('J');
      for (int shift = 0; shift < 32; shift += 8) {
        out.write((int) (value >> shift));
      }
    } else {
      byte[] digits = BigInteger.valueOf(value).toByteArray(); // big-endian, shortest
      out.write(0x8a);
      out.write(digits.length);
      for (int i = digits.length - 1; i >= 0; i--) {
        out.write(digits[i]);
      }
    }
  }
}
