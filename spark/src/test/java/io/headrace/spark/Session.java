package io.headrace.spark;

import org.apache.spark.sql.SparkSession;

/// The session that tests share: two threads, each task tried three times.
final class Session {
  private Session() {}

  static SparkSession get() {
    SparkSession session =
        SparkSession.builder()
            .master("local[2,3]")
            .appName("headrace")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    session.sparkContext().setLogLevel("ERROR");
    return session;
  }
}
