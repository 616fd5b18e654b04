package io.headrace.spark;

import java.io.IOException;
import java.io.Serializable;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.TaskInterruptListener;
import org.jspecify.annotations.Nullable;
import scala.Function2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.runtime.BoxedUnit;

/// Spark jobs whose results are taken one by one, as tasks end.
final class Jobs {
  private Jobs() {}

  /// What a task does. It may be begun more than once; one result is taken.
  ///
  /// @param <T> type of the partition's elements
  /// @param <R> type of the result
  @FunctionalInterface
  interface Work<T, R> extends Serializable {
    R run(TaskContext task, java.util.Iterator<T> elements) throws Exception;
  }

  /// Takes results on the driver.
  ///
  /// @param <R> type of the result
  @FunctionalInterface
  interface Taker<R> {
    void take(int partition, R result) throws IOException;
  }

  /// Runs a job on all partitions, and returns when all results are taken. If one cannot be taken,
  /// the others' tasks are ended.
  static <T, R> void run(JavaRDD<T> parts, Work<T, R> work, Taker<R> taker) throws IOException {
    SparkContext context = parts.context();
    String tag = "headrace-" + UUID.randomUUID();
    var failure = new AtomicReference<@Nullable Exception>();
    context.addJobTag(tag);
    try {
      context.runJob(
          parts.rdd(),
          (Function2<TaskContext, Iterator<T>, R> & Serializable)
              (task, elements) -> run(work, task, elements),
          (Function2<Object, R, BoxedUnit>)
              (partition, result) -> {
                if (failure.get() == null) {
                  try {
                    taker.take((Integer) partition, result);
                  } catch (IOException | RuntimeException e) {
                    failure.set(e);
                    context.cancelJobsWithTag(tag);
                  }
                }
                return BoxedUnit.UNIT;
              },
          ClassTag.apply(Object.class));
    } catch (Exception e) { // Scala's methods declare none of those they throw
      if (failure.get() == null) {
        throw e;
      }
    } finally {
      context.removeJobTag(tag);
    }
    switch (failure.get()) {
      case null -> {}
      case IOException cause -> throw cause;
      case RuntimeException cause -> throw cause;
      case Exception cause -> throw new IllegalStateException(cause);
    }
  }

  private static <T, R> R run(Work<T, R> work, TaskContext task, Iterator<T> elements) {
    Thread mine = Thread.currentThread();
    TaskContext _ =
        task.addTaskInterruptListener((TaskInterruptListener) (_, _) -> mine.interrupt());
    try {
      return work.run(task, CollectionConverters.asJava(elements));
    } catch (Exception e) {
      throw Jobs.<RuntimeException>unchecked(e);
    }
  }

  /// Throws what Scala's functions may throw, though Java's compiler knows nothing of it.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> RuntimeException unchecked(Exception e) throws E {
    throw (E) e;
  }
}
