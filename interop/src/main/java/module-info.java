import org.jspecify.annotations.NullMarked;

/// Reads other people's datasets that need heavy libraries, found as services.
@NullMarked
module io.headrace.interop {
  requires static org.jspecify;
  requires transitive io.headrace.core;
  requires dev.hardwood.core;
  requires java.logging;
  requires java.sql;
  requires org.xerial.sqlitejdbc;
  requires tools.jackson.databind;

  exports io.headrace.interop.arrow;
  exports io.headrace.interop.beton;
  exports io.headrace.interop.mds;
  exports io.headrace.interop.parquet;
  exports io.headrace.interop.pcr;

  provides io.headrace.format.Container with
      io.headrace.interop.beton.BetonContainer,
      io.headrace.interop.pcr.PcrContainer;
  provides io.headrace.format.DatasetOpener with
      io.headrace.interop.arrow.ArrowOpener,
      io.headrace.interop.beton.BetonOpener,
      io.headrace.interop.mds.MdsOpener,
      io.headrace.interop.parquet.ParquetOpener,
      io.headrace.interop.pcr.PcrOpener;
}
