package io.headrace.lab.trial;

import io.headrace.codec.stream.Compression;
import io.headrace.convert.target.Packing;
import io.headrace.convert.target.Resize;
import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.load.ConsumerRate;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.plan.BadLimit;
import io.headrace.load.plan.ErrorPolicy;
import io.headrace.load.plan.FidelityMix;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.spec.Bytes;
import io.headrace.spec.Spec;
import io.headrace.store.Stores;
import java.util.Locale;

/// What a trial may be told. Each has the name and the spelling that the command line has for it.
public enum Key {
  /// Where the dataset lies.
  DATASET(""),
  /// Which of several splits.
  SPLIT(""),
  /// Which field is what.
  FEATURES(""),
  /// The list of classes, or another dataset that has it.
  CLASSES(""),
  /// Whether folders called `train` or `images` are classes all the same.
  FOLDERS_ARE_CLASSES("false"),
  /// How many of its samples, spread over it; 0 for all.
  SAMPLES("0"),
  /// The container to convert to; `found` for the dataset as it is.
  FORMAT(Trial.FOUND),
  /// How images are encoded.
  ENCODING("keep"),
  /// What size images get, ahead of training.
  RESIZE("keep"),
  /// Compression of each shard.
  COMPRESSION("none"),
  /// How many files.
  SHARDS("8"),
  /// Steps of the pipeline that are done once, ahead.
  STEPS(""),
  /// Steps on each sample in every epoch.
  PIPELINE("train"),
  /// Whether pixels are exact or made fast.
  DECODING("fast"),
  /// How files are read.
  STORE("page"),
  /// Where data may come from.
  LEVEL("page-cache"),
  /// What the loader keeps in memory.
  CACHE("none"),
  /// How epochs are ordered.
  ORDER("full"),
  /// Whether batches hold the encodings of a mixed dataset in constant numbers.
  MIX("free"),
  /// How much of each sample is read.
  FIDELITY("full"),
  /// Decode workers; as many as processors if not given.
  THREADS(String.valueOf(Runtime.getRuntime().availableProcessors())),
  /// Readers.
  READERS("2"),
  /// Batches in memory.
  PREFETCH("4"),
  /// Samples among which a stream is shuffled.
  WINDOW("1024"),
  /// Samples in a batch.
  BATCH("64"),
  /// Seed of orders and random steps.
  SEED("0"),
  /// Bound on off-heap bytes, cache included.
  MEMORY("2GiB"),
  /// What becomes of samples that cannot be delivered.
  ON_ERROR("fail"),
  /// How many of these an epoch may have.
  MAX_BAD("none"),
  /// Whether images are turned upright.
  APPLY_ORIENTATION("false"),
  /// The trainer's own rate.
  CONSUMER("none");

  private final String usual;

  Key(String usual) {
    this.usual = usual;
  }

  /// {@return its name, as users type it}
  public String word() {
    return Spec.word(this);
  }

  /// {@return the key of that name}
  ///
  /// @throws ConfigException if there is none
  public static Key of(String word) {
    return Spec.choice("setting", values(), word);
  }

  /// {@return what holds where nothing is said}
  public String usual() {
    return canonical(usual);
  }

  /// {@return a value in the spelling that equal values share}
  ///
  /// @throws ConfigException if it makes no sense
  String canonical(String text) {
    String given = text.strip();
    return switch (this) {
      case DATASET, SPLIT, FEATURES, CLASSES -> given;
      case SAMPLES -> count(given, 0);
      case FORMAT -> given.equals(Trial.FOUND) ? given : Packing.parse(given).spec();
      case ENCODING -> TargetEncoding.parse(given).spec();
      case RESIZE -> Resize.parse(given).spec();
      case COMPRESSION -> Compression.parse(given).spec();
      case STEPS, PIPELINE -> Pipeline.parse(given).spec();
      case DECODING -> Spec.choice("decoding", Decoding.values(), given).label();
      case STORE -> {
        var _ = Stores.parse(given);
        yield given.toLowerCase(Locale.ROOT);
      }
      case LEVEL -> CacheLevel.of(given).word();
      case CACHE -> {
        var _ = CacheSpec.parse(given);
        yield given;
      }
      case ORDER -> OrderSpec.parse(given).toString();
      case MIX -> Mix.of(given).label();
      case FIDELITY -> FidelityMix.parse(given).toString();
      case SHARDS, THREADS, READERS, WINDOW, BATCH -> count(given, 1);
      case PREFETCH -> count(given, 2);
      case ON_ERROR -> ErrorPolicy.of(given).name().toLowerCase(Locale.ROOT);
      case MAX_BAD -> {
        var _ = BadLimit.parse(given);
        yield given;
      }
      case APPLY_ORIENTATION, FOLDERS_ARE_CLASSES ->
          String.valueOf(Spec.step(word(), "=is=" + given).flag("is", false));
      case SEED -> String.valueOf(number(given));
      case MEMORY -> String.valueOf(Bytes.parse(given));
      case CONSUMER -> ConsumerRate.parse(given).unbounded() ? "none" : given;
    };
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ConfigException("'%s' is not a whole number".formatted(text));
    }
  }

  private static String count(String text, long least) {
    long value = number(text);
    if (value < least || value > Integer.MAX_VALUE) {
      throw new ConfigException("%d: expected at least %d".formatted(value, least));
    }
    return String.valueOf(value);
  }
}
