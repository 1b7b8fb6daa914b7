package io.bloomery.security.password;

import static io.bloomery.security.password.PasswordList.Reason.LISTED;
import static io.bloomery.security.password.PasswordList.Reason.USED_BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Rates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UsedPasswordsTest {

  @TempDir private Path directory;

  private PasswordList list;

  @BeforeEach
  void build() throws IOException {
    Path words = Files.writeString(directory.resolve("words"), "letmein\n");
    Path target = directory.resolve("list.bloom");
    PasswordList.build(List.of(words), target, PasswordOptions.DEFAULT.withRate(0x1p-32));
    list = PasswordList.open(target);
  }

  private static BloomFilter history(int passwords) {
    return BloomFilter.create(BloomShape.forKeys(passwords, .01), Hasher.keyed(new byte[16]));
  }

  @Test
  void eachUserHasAHistory() {
    PasswordList remembering = list.withHistory(history(10));
    remembering.addUsed("alice", "mauve tuba".toCharArray());
    assertThat(remembering.check("alice", "mauve tuba".toCharArray())).contains(USED_BEFORE);
    assertThat(remembering.check("bob", "mauve tuba".toCharArray())).isEmpty();
    assertThat(remembering.check("alice", "letmein".toCharArray())).contains(LISTED);
    assertThat(remembering.check("alicem", "auve tuba".toCharArray())).isEmpty();
    assertThat(remembering.check("mauve tuba".toCharArray())).isEmpty();
    assertThat(remembering.withMinimumCount(1).check("alice", "mauve tuba".toCharArray()))
        .contains(USED_BEFORE);
  }

  @Test
  void othersAreRefusedAsTheFilterPredicts() {
    BloomFilter history = history(10_000);
    PasswordList remembering = list.withHistory(history);
    for (int i = 0; i < 10_000; i++) {
      remembering.addUsed("user" + i, ("old" + i).toCharArray());
    }
    long refused = 0;
    for (int i = 0; i < 100_000; i++) {
      refused +=
          remembering.check("user" + i % 10_000, ("new" + i).toCharArray()).isPresent() ? 1 : 0;
    }
    for (int i = 0; i < 10_000; i++) {
      assertThat(remembering.check("user" + i, ("old" + i).toCharArray())).contains(USED_BEFORE);
    }
    Rates.assertRate(refused, 100_000, history.falsePositiveRate(), 5);
  }

  @Test
  void aHistoryIsKeyed() {
    BloomFilter open = BloomFilter.create(10, .01);
    assertThatThrownBy(() -> list.withHistory(open)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> list.addUsed("alice", "x".toCharArray()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> list.check("alice", "x".toCharArray()))
        .isInstanceOf(IllegalStateException.class);
  }
}
