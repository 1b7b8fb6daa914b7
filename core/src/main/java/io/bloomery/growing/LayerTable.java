package io.bloomery.growing;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.layer.Layer;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.io.IOException;

/**
 * The layers of a scalable filter in a frame: section 0 is a table with seven words for each layer,
 * and each layer's bits are a section of their own. Shapes are stored in full, so that a later
 * change of the sizing rule cannot change the meaning of a file.
 */
final class LayerTable {

  /** The most layers in a file. */
  static final int MAX_LAYERS = 1024;

  /** Number, capacity, keys, and four numbers of the shape. */
  private static final int COLUMNS = 7;

  private LayerTable() {}

  static void write(Layer[] layers, Frame frame) {
    long[] table = new long[COLUMNS * layers.length];
    for (int i = 0; i < layers.length; i++) {
      Layer layer = layers[i];
      int at = COLUMNS * i;
      table[at] = layer.number();
      table[at + 1] = layer.capacity();
      table[at + 2] = layer.keys();
      if (layer.shape() instanceof BlockShape block) {
        table[at + 3] = block.blocks();
        table[at + 4] = block.blockBits();
        table[at + 5] = block.wordsPerKey();
        table[at + 6] = block.hashesPerKey();
      } else {
        BloomShape bloom = (BloomShape) layer.shape();
        table[at + 3] = bloom.bits();
        table[at + 6] = bloom.hashesPerKey();
      }
    }
    frame.section(Words.copyOf(table, false));
    for (Layer layer : layers) {
      frame.section(layer.words());
    }
  }

  static Layer[] read(Frame frame, int count, ScalableShape.LayerKind kind) throws IOException {
    Words table = frame.section(0, (long) COLUMNS * count);
    Layer[] layers = new Layer[count];
    int number = 0;
    for (int i = 0; i < count; i++) {
      Entry entry = new Entry(frame, table, i);
      number = (int) entry.number(0, "number", number, ScalableShape.MAX_LAYERS - 1);
      long capacity = entry.number(1, "capacity", 1, Shape.MAX_KEYS);
      long keys = entry.number(2, "keys", 0, Shape.MAX_LOAD);
      Shape shape;
      try {
        shape = kind == ScalableShape.LayerKind.BLOCKED ? entry.blocks() : entry.slices();
      } catch (IllegalArgumentException e) {
        throw frame.problem("layer " + i + ": " + e.getMessage());
      }
      Words words = frame.bits(i + 1, shape.sizeInBits());
      layers[i] = new Layer(shape, words, number, capacity, keys);
    }
    return layers;
  }

  /** The numbers of one layer. */
  private record Entry(Frame frame, Words table, int layer) {

    long number(int column, String name, long min, long max) throws IOException {
      long value = table.get((long) COLUMNS * layer + column);
      if (value < min || value > max) {
        throw frame.problem("layer " + layer + ": " + Arguments.outside(name, value, min, max));
      }
      return value;
    }

    BlockShape blocks() throws IOException {
      return new BlockShape(
          number(3, "blocks", 1, Words.MAX_WORDS),
          (int) number(4, "block bits", 64, 512),
          (int) number(5, "words per key", 1, 8),
          (int) number(6, "hashesPerKey", 1, 128));
    }

    BloomShape slices() throws IOException {
      number(4, "column 4", 0, 0);
      number(5, "column 5", 0, 0);
      long bits = number(3, "bits", 2, Shape.MAX_BITS);
      int hashesPerKey =
          (int) number(6, "hashesPerKey", 1, Math.min(bits / 2, Shape.MAX_HASHES_PER_KEY));
      return new BloomShape(bits, hashesPerKey, IndexScheme.PARTITIONED);
    }
  }
}
