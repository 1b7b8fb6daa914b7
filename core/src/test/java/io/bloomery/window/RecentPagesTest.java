package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecentPagesTest {

  private static final int WINDOW = 210;

  /**
   * Only pages that an add changed are saved, at times that are many rounds apart; a filter of them
   * answers as the first one does, now and after further adds. 600 lines for at most 280 live keys,
   * so that hardly a key is found by accident: what comes back to life is.
   */
  @ParameterizedTest
  @CsvSource({"2,1", "4,1", "4,7", "8,3", "4,600"})
  void aFilterOfSavedPagesAnswersAsTheFirst(int layers, int linesPerPage) {
    Property.check(
        layers + linesPerPage,
        40,
        draw -> {
          AtomicLong now = new AtomicLong(draw.between(0L, 1L << 42));
          RecentFilter filter = filter(layers, now);
          Map<Integer, byte[]> saved = new HashMap<>();
          for (int round = 0; round < 4; round++) {
            addAndSave(draw, filter, linesPerPage, saved, now);
            RecentFilter loaded = filter(layers, now);
            load(loaded, linesPerPage, saved);
            for (long key = 0; key < 300; key++) {
              assertThat(loaded.mightContainHash(Keys.hash(key)))
                  .isEqualTo(filter.mightContainHash(Keys.hash(key)));
            }
            assertThat(loaded.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
            filter = loaded;
          }
        });
  }

  private static void addAndSave(
      Draw draw,
      RecentFilter filter,
      int linesPerPage,
      Map<Integer, byte[]> saved,
      AtomicLong now) {
    RecentFilter.Pages pages = new RecentFilter.Pages(filter, linesPerPage);
    for (int i = 0; i < 150; i++) {
      now.addAndGet(draw.between(0, 14) == 0 ? draw.between(0L, 3000L) : draw.between(0L, 9L));
      long hash = Keys.hash(draw.between(0L, 299L));
      filter.addHash(hash);
      saved.put(pages.pageOf(hash), pages.save(pages.pageOf(hash)));
    }
  }

  /** One key per page and window, 60 windows long: old stamps recur, the keys do not. */
  @Test
  void pagesThatWereSavedManyRoundsAgoAreEmpty() {
    AtomicLong now = new AtomicLong(0);
    RecentFilter filter = filter(4, now);
    RecentFilter.Pages pages = new RecentFilter.Pages(filter, 10);
    Map<Integer, byte[]> saved = new HashMap<>();
    long[] keys = Keys.members(60);
    for (long key : keys) {
      now.addAndGet(WINDOW);
      filter.addHash(key);
      saved.put(pages.pageOf(key), pages.save(pages.pageOf(key)));
    }
    RecentFilter loaded = filter(4, now);
    assertThat(load(loaded, 10, saved)).isEqualTo(60L * WINDOW);
    assertThat(Arrays.stream(keys).filter(loaded::mightContainHash)).endsWith(keys[59]);
    assertThat(Arrays.stream(keys).filter(loaded::mightContainHash).count()).isLessThan(3);
    assertThat(loaded.falsePositiveRate()).isEqualTo(filter.falsePositiveRate());
  }

  @Test
  void aHashIsOnThePageThatItsAddChanges() {
    RecentFilter filter = filter(4, new AtomicLong(5_000));
    RecentFilter.Pages pages = new RecentFilter.Pages(filter, 7);
    assertThat(pages.count()).isEqualTo(86); // 85 of 7 lines, one of 5
    int[] adds = new int[pages.count()];
    for (long hash : Keys.members(2_000)) {
      byte[] before = pages.save(pages.pageOf(hash));
      if (filter.addHash(hash)) {
        assertThat(pages.save(pages.pageOf(hash))).isNotEqualTo(before);
      }
      adds[pages.pageOf(hash)]++;
    }
    // 23 adds per page of 7 lines and 17 on the last, a standard deviation of 4.8.
    assertThat(adds[0]).isBetween(1, 48);
    assertThat(adds[85]).isBetween(1, 38);
    assertThat(pages.save(0)).hasSize(8 + 7 * 64);
    assertThat(pages.save(85)).hasSize(8 + 5 * 64);
  }

  /** The layout of docs/format/window.md: the tick, then the words as in a file. */
  @Test
  void aPageIsTheTickAndTheWords() throws IOException {
    RecentFilter filter = filter(4, new AtomicLong(123_456));
    filter.addHash(Keys.hash(7));
    byte[] page = new RecentFilter.Pages(filter, 600).save(0);
    ByteBuffer read = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(read.getLong()).isEqualTo(123_456);
    byte[] file = filter.toBytes();
    byte[] words = Arrays.copyOfRange(page, 8, page.length);
    assertThat(indexOf(file, words)).isPositive();
  }

  private static int indexOf(byte[] file, byte[] part) {
    for (int at = 0; at + part.length <= file.length; at += 8) {
      if (Arrays.equals(file, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    return -1;
  }

  @Test
  void loadingReplacesWhatWasThereAndKeepsALaterTime() throws FilterFormatException {
    AtomicLong early = new AtomicLong(1_000);
    RecentFilter first = filter(4, early);
    first.addHash(1);
    RecentFilter.Pages pages = new RecentFilter.Pages(first, 600);
    AtomicLong late = new AtomicLong(1_100);
    RecentFilter second = filter(4, late);
    second.addHash(-1);
    assertThat(new RecentFilter.Pages(second, 600).load(Map.of(0, pages.save(0)))).isEqualTo(1_100);
    assertThat(second.mightContainHash(1)).isTrue();
    assertThat(second.mightContainHash(-1)).isFalse();
    new RecentFilter.Pages(second, 600).load(Map.of());
    assertThat(second.mightContainHash(1)).isFalse();
    late.set(5_000);
    second.addHash(-1);
    new RecentFilter.Pages(second, 600).load(Map.of(0, pages.save(0)));
    assertThat(second.mightContainHash(1)).isFalse();
    assertThat(second.falsePositiveRate()).isZero();
  }

  @Test
  void impossiblePagesAreRefusedAndChangeNothing() {
    RecentFilter filter = filter(4, new AtomicLong(1_000));
    filter.addHash(1);
    RecentFilter.Pages pages = new RecentFilter.Pages(filter, 300);
    byte[] page = pages.save(0);
    byte[] negative = page.clone();
    negative[7] = -1;
    byte[] late = page.clone();
    late[7] = 0x41;
    refused(pages, Map.of(0, page, 2, page), "the filter has 2 pages");
    refused(pages, Map.of(-1, page), "page -1");
    refused(pages, Map.of(1, Arrays.copyOf(page, page.length - 8)), "bytes instead of 19208");
    refused(pages, Map.of(1, new byte[0]), "0 bytes instead of");
    refused(pages, Map.of(0, negative), "latest");
    refused(pages, Map.of(0, late), "latest");
    assertThat(filter.mightContainHash(1)).isTrue();
    assertThatThrownBy(() -> pages.save(2)).hasMessageContaining("page = 2");
    assertThatThrownBy(() -> new RecentFilter.Pages(filter, 0))
        .hasMessageContaining("linesPerPage = 0");
  }

  private static void refused(
      RecentFilter.Pages pages, Map<Integer, byte[]> saved, String message) {
    assertThatThrownBy(() -> pages.load(saved))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(message);
  }

  private static RecentFilter filter(int layers, AtomicLong now) {
    return RecentFilter.create(
        new RecentShape(600, layers, 8, WINDOW, true), Hasher.xxh3(), ManualClock.of(now));
  }

  private static long load(RecentFilter filter, int linesPerPage, Map<Integer, byte[]> saved) {
    try {
      return new RecentFilter.Pages(filter, linesPerPage).load(saved);
    } catch (FilterFormatException e) {
      throw new AssertionError(e);
    }
  }
}
