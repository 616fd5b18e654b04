package io.headrace.interop.pcr;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/// The index as an SQLite database, as Python's sqlitedict keeps it: a table `unnamed` of texts and
/// pickled values. A value is a record's lengths or, if its key begins with `m_`, something about
/// the dataset.
final class IndexDatabase {
  private static final int MAX_VALUE = 1 << 20;

  private IndexDatabase() {}

  static void read(Path path, PcrIndex.Entries entries) throws IOException {
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    try (Connection db = connect(path, config);
        Statement statement = db.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "select key, substr(value, 1, %d) from unnamed where substr(key, 1, 2) <> 'm_'"
                    .formatted(MAX_VALUE + 1))) {
      while (rows.next()) {
        String key = rows.getString(1);
        byte[] value = rows.getBytes(2);
        if (key == null || value == null) {
          throw new DecodeException(Fault.CORRUPT, "a row without key or value");
        }
        if (value.length > MAX_VALUE) {
          throw new DecodeException(
              Fault.LIMIT, "the value of '%s' has over %d bytes".formatted(key, MAX_VALUE));
        }
        entries.add(key, Pickle.read(value));
      }
    } catch (SQLException e) {
      throw new CorruptDataException(
          Fault.CORRUPT,
          "not an index in SQLite: " + e.getMessage(),
          Location.of(path.toString()),
          e);
    } catch (DecodeException e) {
      throw CorruptDataException.at(Location.of(path.toString()), e);
    }
  }

  /// Writes a new database.
  ///
  /// @param about numbers and lists of numbers by key, from `m_` on
  static void write(Path path, List<PcrIndex.Entry> entries, Map<String, byte[]> about)
      throws IOException {
    var config = new SQLiteConfig();
    config.setJournalMode(JournalMode.OFF); // it is renamed when it is complete
    config.setSynchronous(SynchronousMode.OFF);
    try (Connection db = connect(path, config)) {
      try (Statement statement = db.createStatement()) {
        statement.execute("create table unnamed (key text primary key, value blob)");
      }
      db.setAutoCommit(false);
      try (PreparedStatement insert = db.prepareStatement("insert into unnamed values (?, ?)")) {
        for (Map.Entry<String, byte[]> each : about.entrySet()) {
          put(insert, each.getKey(), each.getValue());
        }
        for (PcrIndex.Entry entry : entries) {
          put(insert, entry.name(), Pickle.list(entry.lengths()));
        }
      }
      db.commit();
    } catch (SQLException e) {
      throw new IOException("cannot write %s: %s".formatted(path, e.getMessage()), e);
    }
  }

  private static void put(PreparedStatement insert, String key, byte[] value) throws SQLException {
    insert.setString(1, key);
    insert.setBytes(2, value);
    insert.executeUpdate();
  }

  private static Connection connect(Path path, SQLiteConfig config) throws SQLException {
    return config.createConnection("jdbc:sqlite:" + path.toAbsolutePath());
  }
}
