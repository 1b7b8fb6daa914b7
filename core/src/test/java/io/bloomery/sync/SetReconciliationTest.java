package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SetReconciliationTest {

  private static final HexFormat HEX = HexFormat.of();

  private static Set<String> hex(List<byte[]> keys) {
    Set<String> set = new TreeSet<>();
    keys.forEach(key -> set.add(HEX.formatHex(key)));
    assertThat(set).as("each key once").hasSameSizeAs(keys);
    return set;
  }

  private static List<byte[]> keys(int count, int set, int length) {
    List<byte[]> keys = new ArrayList<>();
    for (long hash : Keys.members(count, set)) {
      byte[] key = new byte[length];
      for (int i = 0; i < length; i++) {
        key[i] = (byte) (hash >>> (8 * (i % 8)));
      }
      keys.add(key);
    }
    return keys;
  }

  private static SetReconciliation set(
      SetReconciliation.Method method, boolean approximate, List<List<byte[]>> parts) {
    SetReconciliation.Builder builder =
        SetReconciliation.builder().method(method).approximate(approximate).seed(Seeds.of(7));
    parts.forEach(part -> part.forEach(builder::add));
    return builder.build();
  }

  private static void assertMirrored(Peers peers) {
    assertThat(hex(peers.here().onlyHere())).isEqualTo(hex(peers.there().onlyThere()));
    assertThat(hex(peers.here().onlyThere())).isEqualTo(hex(peers.there().onlyHere()));
    assertThat(peers.here().bytesSent()).isEqualTo(peers.there().bytesReceived());
    assertThat(peers.here().bytesReceived()).isEqualTo(peers.there().bytesSent());
    assertThat(peers.here().rounds()).isEqualTo(peers.there().rounds());
    assertThat(peers.here().method()).isEqualTo(peers.there().method());
    assertThat(peers.here().exact()).isEqualTo(peers.there().exact());
  }

  @ParameterizedTest
  @EnumSource(SetReconciliation.Method.class)
  void everyMethodMakesSetsEqual(SetReconciliation.Method method) throws IOException {
    for (int length : new int[] {1, 4, 8, 20, 64}) {
      List<byte[]> shared = keys(length == 1 ? 100 : 3_000, 0, length);
      List<byte[]> left = keys(length == 1 ? 10 : 130, 1, length);
      List<byte[]> right = keys(length == 1 ? 10 : 70, 2, length);
      if (length == 1) { // bytes repeat
        shared = distinct(0, 100);
        left = distinct(100, 110);
        right = distinct(110, 125);
      }
      Peers peers =
          Peers.run(
              set(method, false, List.of(shared, left)), set(null, false, List.of(right, shared)));
      assertMirrored(peers);
      assertThat(hex(peers.here().onlyHere())).isEqualTo(hex(left));
      assertThat(hex(peers.here().onlyThere())).isEqualTo(hex(right));
      assertThat(peers.here().exact()).isTrue();
      assertThat(peers.here().method()).isEqualTo(method);
    }
  }

  private static List<byte[]> distinct(int from, int to) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = from; i < to; i++) {
      keys.add(new byte[] {(byte) i});
    }
    return keys;
  }

  @ParameterizedTest
  @EnumSource(SetReconciliation.Method.class)
  void linesOfAnyLength(SetReconciliation.Method method) throws IOException {
    for (int longest : new int[] {1, 20, 3_000}) {
      List<byte[]> shared = new ArrayList<>();
      List<byte[]> left = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        (i % 10 == 0 ? left : shared).add(text(i, longest).getBytes(UTF_8));
      }
      List<byte[]> right = List.of(new byte[0], "other".getBytes(UTF_8));
      Peers peers =
          Peers.run(
              set(null, false, List.of(shared, left, shared)),
              set(method, false, List.of(right, shared)));
      assertMirrored(peers);
      assertThat(hex(peers.here().onlyHere())).isEqualTo(hex(left));
      assertThat(hex(peers.there().onlyHere())).isEqualTo(hex(right));
      assertThat(peers.here().exact()).isTrue();
    }
  }

  private static String text(int i, int longest) {
    return "line " + i + "x".repeat(longest == 1 ? 0 : i * 31 % longest);
  }

  @ParameterizedTest
  @EnumSource(
      value = SetReconciliation.Method.class,
      names = {"FILTER", "TREE"})
  void approximateResultsAreRightButIncomplete(SetReconciliation.Method method) throws IOException {
    List<byte[]> shared = keys(5_000, 0, 8);
    List<byte[]> left = keys(1_000, 1, 8);
    List<byte[]> right = keys(1_000, 2, 8);
    Peers peers =
        Peers.run(
            set(method, true, List.of(shared, left)), set(null, true, List.of(right, shared)));
    assertMirrored(peers);
    assertThat(peers.here().exact()).isFalse();
    assertThat(hex(left)).containsAll(hex(peers.here().onlyHere()));
    assertThat(hex(right)).containsAll(hex(peers.here().onlyThere()));
    int found = peers.here().onlyHere().size() + peers.here().onlyThere().size();
    double expected =
        method == SetReconciliation.Method.TREE
            ? ReconciliationShape.forKeys(6_000)
                .expectedFound(6_000, ReconciliationTree.DEFAULT_CORRECTION)
            : 1 - FilterExchange.shape(6_000).falsePositiveRate(6_000);
    Rates.assertRate(found, 2_000, expected, 5);
  }

  @Test
  void equalSetsTakeOneRound() throws IOException {
    List<byte[]> shared = keys(10_000, 0, 8);
    Peers peers =
        Peers.run(set(null, false, List.of(shared)), set(null, false, List.of(shared, shared)));
    assertMirrored(peers);
    assertThat(peers.here().exact()).isTrue();
    assertThat(peers.here().rounds()).isEqualTo(1);
    assertThat(peers.here().bytes()).isLessThan(120);
  }

  @Test
  void emptySets() throws IOException {
    Peers none = Peers.run(set(null, false, List.of()), set(null, false, List.of()));
    assertThat(none.here().exact()).isTrue();
    List<byte[]> some = keys(1_000, 0, 8);
    Peers give = Peers.run(set(null, false, List.of(some)), set(null, false, List.of()));
    assertThat(hex(give.there().onlyThere())).isEqualTo(hex(some));
    Peers take = Peers.run(set(null, false, List.of()), set(null, false, List.of(some)));
    assertThat(hex(take.here().onlyThere())).isEqualTo(hex(some));
    assertMirrored(take);
    List<byte[]> empty = List.of(new byte[0]);
    Peers key = Peers.run(set(null, false, List.of(empty)), set(null, false, List.of()));
    assertThat(key.there().onlyThere()).containsExactly(new byte[0]);
  }

  /** Random sets, lengths and methods against a model. */
  @Test
  void randomSets() {
    Property.check(
        31,
        60,
        draw -> {
          SetReconciliation.Method method =
              draw.between(0, 2) == 0
                  ? null
                  : draw.oneOf(List.of(SetReconciliation.Method.values()));
          int longest = draw.oneOf(List.of(1, 3, 8, 24, 25, 64, 200));
          boolean fixed = draw.between(0, 1) == 0;
          Set<String> left = new TreeSet<>();
          Set<String> right = new TreeSet<>();
          int count = draw.between(0, 400);
          int percent = draw.oneOf(List.of(0, 2, 50, 100));
          for (int i = 0; i < count; i++) {
            String key = randomKey(draw, longest, fixed);
            boolean both = draw.between(0, 99) >= percent;
            boolean first = draw.between(0, 1) == 0;
            if (both || first) {
              left.add(key);
            }
            if (both || !first) {
              right.add(key);
            }
          }
          Peers peers = Peers.run(of(left, method), of(right, null));
          assertMirrored(peers);
          assertThat(peers.here().exact()).isTrue();
          Set<String> onlyLeft = new TreeSet<>(left);
          onlyLeft.removeAll(right);
          Set<String> onlyRight = new TreeSet<>(right);
          onlyRight.removeAll(left);
          assertThat(hex(peers.here().onlyHere())).isEqualTo(onlyLeft);
          assertThat(hex(peers.here().onlyThere())).isEqualTo(onlyRight);
        });
  }

  private static SetReconciliation of(Set<String> keys, SetReconciliation.Method method) {
    SetReconciliation.Builder builder = SetReconciliation.builder().method(method);
    keys.forEach(key -> builder.add(HEX.parseHex(key)));
    return builder.build();
  }

  private static String randomKey(Draw draw, int longest, boolean fixed) {
    byte[] key = new byte[fixed ? longest : draw.between(0, longest)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) draw.between(0, 255);
    }
    return HEX.formatHex(key);
  }

  @Test
  void differentMethodsDoNotMeet() {
    SetReconciliation filter = set(SetReconciliation.Method.FILTER, false, List.of());
    SetReconciliation tree = set(SetReconciliation.Method.TREE, false, List.of());
    assertThatThrownBy(() -> Peers.run(filter, tree))
        .isInstanceOf(ReconciliationException.class)
        .hasMessage("this side wants filter, the peer tree");
  }

  @Test
  void argumentsOutOfRange() {
    assertThatThrownBy(() -> SetReconciliation.builder().limit(7))
        .hasMessageContaining("bytes = 7 is outside the allowed range");
    assertThatThrownBy(() -> SetReconciliation.plan(10, 10, 21, 8, false))
        .hasMessageContaining("difference");
    assertThatThrownBy(() -> SetReconciliation.plan(-1, 10, 1, 8, false))
        .hasMessageContaining("here = -1");
  }
}
