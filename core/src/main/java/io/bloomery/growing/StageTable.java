package io.bloomery.growing;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.layer.Layer;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.io.IOException;

/**
 * The layers of a scalable filter in a frame: section 0 is a table with a row of words for each
 * layer, and each layer's bits are a section of their own. Shapes are written out, so that a better
 * sizing rule cannot change what a file means.
 */
final class StageTable {

  /** The most layers of a file. */
  static final int MAX_LAYERS = 1024;

  /** Stage, capacity, keys, and four numbers of the shape. */
  private static final int COLUMNS = 7;

  private StageTable() {}

  static void write(Layer[] layers, Frame frame) {
    long[] table = new long[COLUMNS * layers.length];
    for (int i = 0; i < layers.length; i++) {
      Layer layer = layers[i];
      int row = COLUMNS * i;
      table[row] = layer.number();
      table[row + 1] = layer.capacity();
      table[row + 2] = layer.keys();
      if (layer.shape() instanceof BlockShape block) {
        table[row + 3] = block.blocks();
        table[row + 4] = block.blockBits();
        table[row + 5] = block.wordsPerKey();
        table[row + 6] = block.probes();
      } else {
        BloomShape bloom = (BloomShape) layer.shape();
        table[row + 3] = bloom.bits();
        table[row + 6] = bloom.probes();
      }
    }
    frame.section(Words.copyOf(table, false));
    for (Layer layer : layers) {
      frame.section(layer.words());
    }
  }

  static Layer[] read(Frame frame, int count, ScalableShape.Layers kind) throws IOException {
    Words table = frame.section(0, (long) COLUMNS * count);
    Layer[] layers = new Layer[count];
    int stage = 0;
    for (int i = 0; i < count; i++) {
      Row row = new Row(frame, table, i);
      stage = (int) row.number(0, "stage", stage, ScalableShape.MAX_STAGES - 1);
      long capacity = row.number(1, "capacity", 1, Shape.MAX_KEYS);
      long keys = row.number(2, "keys", 0, Shape.MAX_LOAD);
      Shape shape;
      try {
        shape = kind == ScalableShape.Layers.BLOCKED ? row.blocks() : row.slices();
      } catch (IllegalArgumentException e) {
        throw frame.problem("layer " + i + ": " + e.getMessage());
      }
      Words words = frame.bits(i + 1, shape.sizeInBits());
      layers[i] = new Layer(shape, words, stage, capacity, keys);
    }
    return layers;
  }

  /** The numbers of one layer. */
  private record Row(Frame frame, Words table, int layer) {

    long number(int column, String name, long min, long max) throws IOException {
      long value = table.get((long) COLUMNS * layer + column);
      if (value < min || value > max) {
        throw frame.problem(
            "layer %d: %s is %d; it must be within %d…%d".formatted(layer, name, value, min, max));
      }
      return value;
    }

    BlockShape blocks() throws IOException {
      return new BlockShape(
          number(3, "blocks", 1, Words.MAX_WORDS),
          (int) number(4, "block bits", 64, 512),
          (int) number(5, "words per key", 1, 8),
          (int) number(6, "probes", 1, 128));
    }

    BloomShape slices() throws IOException {
      number(4, "column 4", 0, 0);
      number(5, "column 5", 0, 0);
      long bits = number(3, "bits", 2, Shape.MAX_BITS);
      int probes = (int) number(6, "probes", 1, Math.min(bits / 2, Shape.MAX_PROBES));
      return new BloomShape(bits, probes, IndexScheme.PARTITIONED);
    }
  }
}
