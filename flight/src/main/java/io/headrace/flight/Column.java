package io.headrace.flight;

import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.types.pojo.Field;

/// A column of a record batch that is sent from where its values lie. Arrow's own vectors would
/// copy them, and make a bitmap that says of each pixel that it is there: an eighth more of uint8
/// images.
final class Column extends NullVector {
  private final List<FieldVector> children;
  private List<ArrowBuf> buffers = List.of();
  private int count;

  Column(Field field) {
    super(field);
    children = field.getChildren().stream().<FieldVector>map(Column::new).toList();
  }

  /// Sets the values of the next batch.
  ///
  /// @param values how many there are, at most 2³¹ − 1
  /// @param memory the type's buffers, that of validity empty; stays the caller's
  void set(long values, ArrowBuf... memory) {
    count = Math.toIntExact(values);
    buffers = List.of(memory);
  }

  Column child() {
    return (Column) children.getFirst();
  }

  @Override
  public List<FieldVector> getChildrenFromFields() {
    return children;
  }

  @Override
  public List<ArrowBuf> getFieldBuffers() {
    return buffers;
  }

  @Override
  public int getValueCount() {
    return count;
  }

  @Override
  public void setValueCount(int values) {} // a root says how many rows there are: known already

  @Override
  public int getNullCount() {
    return 0;
  }
}
