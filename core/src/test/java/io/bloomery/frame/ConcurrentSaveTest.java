package io.bloomery.frame;

import static org.assertj.core.api.Assertions.fail;

import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
      int during = 0;
      for (int saves = 0; saves < 10 || during == 0; saves++) {
        int before = added.getAcquire();
        allowed.setRelease(before + KEYS / 10);
        byte[] frame = SampleFilters.bytes(filter);
        during += added.getAcquire() > before ? 1 : 0;

        BloomFilter saved =
            (BloomFilter) Filters.read(new ByteArrayInputStream(frame), frame.length);

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
}
