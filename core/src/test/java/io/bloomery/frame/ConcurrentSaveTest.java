package io.bloomery.frame;

import static org.assertj.core.api.Assertions.fail;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A save taken during adds is sound and holds every key that was added before it began. */
class ConcurrentSaveTest {

  private static final int KEYS = 1_000_000;

  @Test
  @Timeout(60)
  void savesDuringAdds() throws Exception {
    long[] hashes = Keys.members(KEYS);
    BloomFilter filter = BloomFilter.create(BloomShape.of(10L * KEYS, 4));
    AtomicInteger added = new AtomicInteger();
    AtomicInteger allowed = new AtomicInteger();
    AtomicBoolean stop = new AtomicBoolean();
    Thread adder =
        new Thread(
            () -> {
              for (int i = 0; i < KEYS && !stop.get(); ) {
                if (i < allowed.getAcquire()) {
                  filter.addHash(hashes[i++]);
                  added.setRelease(i);
                } else {
                  Thread.onSpinWait();
                }
              }
            });
    adder.start();
    try {
      for (int saves = 0; saves < 10; saves++) {
        int before = added.getAcquire();
        allowed.setRelease(before + KEYS / 10);
        byte[] frame = savedDuringAdds(filter, () -> added.getAcquire() > before);

        BloomFilter saved =
            (BloomFilter)
                Filters.read(
                    new ByteArrayInputStream(frame),
                    ReadOptions.defaults().withLimit(frame.length));

        for (int i = 0; i < before; i++) {
          if (!saved.mightContainHash(hashes[i])) {
            fail("save %d lost key %d of %d", saves, i, before);
          }
        }
      }
    } finally {
      stop.set(true);
      adder.join();
    }
  }

  /** A save that goes on when keys were added since it began. */
  private static byte[] savedDuringAdds(BloomFilter filter, BooleanSupplier addsHappened)
      throws IOException {
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int offset, int length) {
            while (!addsHappened.getAsBoolean()) {
              LockSupport.parkNanos(10_000);
            }
            super.write(bytes, offset, length);
          }
        };
    filter.writeTo(out);
    return out.toByteArray();
  }
}
