package io.headrace.convert;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageInfo;
import io.headrace.codec.images.ImageDecoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.codec.jpeg.turbo.TableMaker;
import io.headrace.codec.plain.PlainCodec;
import io.headrace.codec.stream.Compression;
import io.headrace.convert.target.Packing;
import io.headrace.convert.target.Representation;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Makes the quantisation tables that a conversion wants of its data, from a few pictures in the
/// size in which they are to be encoded. Equal conversions make equal ones.
final class DataTables {
  private DataTables() {}

  /// {@return whether an encoding wants tables that are made of the data}
  static boolean wants(TargetEncoding encoding) {
    Set<JpegEncoding> wanted = new LinkedHashSet<>();
    var _ = encoding.map(each -> note(each, wanted));
    return !wanted.isEmpty();
  }

  /// {@return the same options with the tables in them}
  ///
  /// @throws ConfigException if not one picture can be decoded
  static ConvertOptions make(Dataset source, ConvertOptions options, long count)
      throws IOException {
    Representation to = options.representation();
    Set<JpegEncoding> wanted = new LinkedHashSet<>();
    var _ = to.encoding().map(encoding -> note(encoding, wanted));
    if (wanted.isEmpty() || count == 0) {
      return options;
    }
    var pixels =
        new Representation(
            new Packing.TfRecord(),
            new TargetEncoding.Encode(PlainCodec.PNM),
            to.resize(),
            new Compression.None(),
            to.steps());
    var budget = new MemoryBudget(options.memory());
    try (var maker = new TableMaker(budget);
        var decoder = new ImageDecoder();
        var block = new Block(budget)) {
      int _ =
          FewSamples.each(
              source,
              options.with(pixels),
              count,
              TableMaker.ENOUGH,
              made -> add(made, decoder, block, maker));
      if (maker.pictures() == 0) {
        throw new ConfigException(
            "no quantisation tables can be made: none of %d samples is a picture that can be"
                    .formatted(Math.min(TableMaker.ENOUGH, count))
                + " decoded");
      }
      Map<ImageEncoding, ImageEncoding> made = new LinkedHashMap<>();
      for (JpegEncoding encoding : wanted) {
        made.put(encoding, maker.make(encoding));
      }
      return options.with(to.with(to.encoding().map(e -> made.getOrDefault(e, e))));
    } catch (DecodeException e) {
      throw new ConfigException("no quantisation tables can be made: " + e.getMessage());
    }
  }

  private static ImageEncoding note(ImageEncoding encoding, Set<JpegEncoding> wanted) {
    if (encoding instanceof JpegEncoding jpeg && jpeg.tables() instanceof QuantTables.OfData) {
      wanted.add(jpeg);
    }
    return encoding;
  }

  private static void add(
      MemorySegment encoded, ImageDecoder decoder, Block block, TableMaker maker)
      throws DecodeException {
    ImageInfo info = decoder.probe(encoded);
    MemorySegment rgb = block.ensure(info.rgbBytes()).asSlice(0, info.rgbBytes());
    decoder.decodeRgb(encoded, info, rgb);
    maker.add(rgb, info.width(), info.height());
  }

  /// {@return tables that were made, by the spelling of their encoding}
  static Map<String, QuantTables.Made> of(TargetEncoding encoding) {
    Map<String, QuantTables.Made> all = new LinkedHashMap<>();
    var _ =
        encoding.map(
            e -> {
              if (e instanceof JpegEncoding jpeg
                  && jpeg.tables() instanceof QuantTables.Made made) {
                all.put(e.spec(), made);
              }
              return e;
            });
    return all;
  }
}
