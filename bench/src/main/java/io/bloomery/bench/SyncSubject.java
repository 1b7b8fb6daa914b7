package io.bloomery.bench;

import io.bloomery.sync.InvertibleShape;
import io.bloomery.sync.InvertibleTable;
import io.bloomery.sync.RatelessDecoder;
import io.bloomery.sync.RatelessTable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * A set that is encoded, and a difference of {@value #DIFFERENCE} keys that is decoded: a build
 * encodes all keys, a query decodes the difference and answers whether that was complete.
 */
abstract class SyncSubject extends ObjectSubject<Long> {

  private static final int DIFFERENCE = 1_000;

  /** The figure is that of the table: a query subtracts one from another first. */
  static final class Invertible extends SyncSubject {
    private InvertibleTable here;
    private InvertibleTable there;
    private int added;

    @Override
    void create(int keys, double rate) {
      InvertibleShape shape = InvertibleShape.forDifference(DIFFERENCE);
      here = InvertibleTable.create(shape);
      there = InvertibleTable.create(shape);
      added = 0;
    }

    @Override
    void add(Long key) {
      if (added >= DIFFERENCE || added % 2 == 0) {
        here.add(key);
      }
      if (added >= DIFFERENCE || added % 2 != 0) {
        there.add(key);
      }
      added++;
    }

    @Override
    boolean query(Long key) {
      InvertibleTable rest = here.copy();
      rest.subtract(there);
      return rest.decode().isComplete();
    }

    @Override
    long sizeInBits() {
      return here.sizeInBits();
    }
  }

  /** A build also makes the symbols that the difference needs; a query decodes without a set. */
  static final class Rateless extends SyncSubject {
    private static final int SYMBOLS = 1_500;

    private final byte[] symbols = symbols();
    private RatelessTable table;
    private int keys;

    private static byte[] symbols() {
      RatelessTable small = RatelessTable.create();
      for (int i = 0; i < DIFFERENCE; i++) {
        small.add(Keys.mix(i));
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      write(small, out);
      return out.toByteArray();
    }

    private static void write(RatelessTable table, OutputStream out) {
      try {
        table.writeSymbols(out, 0, SYMBOLS);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    void create(int keys, double rate) {
      table = RatelessTable.create();
      this.keys = keys;
    }

    @Override
    void add(Long key) {
      table.add(key);
      if (table.keyCount() == keys) {
        write(table, OutputStream.nullOutputStream());
      }
    }

    @Override
    boolean query(Long key) {
      RatelessDecoder decoder = RatelessTable.create().decoder(SYMBOLS);
      try {
        decoder.readSymbols(new ByteArrayInputStream(symbols), SYMBOLS);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return decoder.isComplete();
    }

    @Override
    long sizeInBits() {
      return 8L * symbols.length;
    }
  }
}
