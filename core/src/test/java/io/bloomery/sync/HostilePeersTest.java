package io.bloomery.sync;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * Forged conversations against both roles: each ends with a reason or with a result that only adds
 * keys, in memory and traffic that the limit and this side's set explain.
 */
final class HostilePeersTest {

  static final long SEED = Seeds.of(53);

  private static final int SOME = 4_000;
  private static final int MANY = 1_000_000;
  private static final long LIMIT = 1 << 20;

  /**
   * What is allocated, garbage included: at any time no more than the limit, which a run fills at
   * most once for each of its four tables, and then once for messages, symbols and keys; and the
   * set of this side a few times.
   */
  private static final long MOST_ALLOCATED = 6 * LIMIT + (1 << 20);

  /** Tables and symbols within the limit; this side's keys, and two summaries, once each. */
  private static final long MOST_SENT = LIMIT + (1 << 17);

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final HexFormat HEX = HexFormat.of();

  /** One side of an honest conversation, and what the other side says in it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Scene(SetReconciliation side, boolean initiates, byte[] heard, Set<String> own) {

    static Scene of(SetReconciliation here, boolean initiates, SetReconciliation there)
        throws IOException {
      Conversation said = initiates ? Conversation.of(here, there) : Conversation.of(there, here);
      Set<String> own = new HashSet<>();
      for (int i = 0; i < here.keys().count(); i++) {
        own.add(HEX.formatHex(here.keys().copy(i)));
      }
      return new Scene(here, initiates, initiates ? said.responder() : said.initiator(), own);
    }
  }

  private static SetReconciliation set(
      SetReconciliation.Method method, String before, int shared, int own, int ownSet) {
    SetReconciliation.Builder set =
        SetReconciliation.builder().method(method).seed(SEED).limit(LIMIT);
    for (int i = 0; i < shared + own; i++) {
      long key = i < shared ? Keys.hash(i) : Keys.members(own, ownSet)[i - shared];
      if (before == null) {
        set.add(key);
      } else {
        set.add(before + key);
      }
    }
    return set.build();
  }

  private static List<Scene> scenes() throws IOException {
    List<Scene> scenes = new ArrayList<>();
    for (SetReconciliation.Method method : SetReconciliation.Method.values()) {
      for (String before : new String[] {null, "", "a line of more than 24 bytes "}) {
        for (int shared : new int[] {0, 300}) {
          for (boolean initiates : new boolean[] {false, true}) {
            scenes.add(
                Scene.of(
                    set(initiates ? method : null, before, shared, shared / 20, 1),
                    initiates,
                    set(initiates ? null : method, before, shared, 17, 2)));
          }
        }
      }
    }
    return scenes;
  }

  private final Map<ReconciliationException.Reason, Integer> reasons =
      new EnumMap<>(ReconciliationException.Reason.class);
  private int results;
  private long mostAllocated;
  private long mostSent;

  @Test
  void someConversations(TestReporter report) throws IOException {
    forge(SOME, 61, report);
  }

  @Test
  @Tag("long")
  @Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aMillionConversations(TestReporter report) throws IOException {
    forge(Integer.getInteger("bloomery.conversations", MANY), 62, report);
  }

  private void forge(int conversations, long seed, TestReporter report) throws IOException {
    List<Scene> scenes = scenes();
    for (Scene scene : scenes) {
      hear(scene, scene.heard); // loads the classes, whose memory is not the peer's
    }
    assertThat(results).as("honest conversations").isEqualTo(scenes.size());
    PeerForger forger = new PeerForger(Seeds.random(seed));
    mostAllocated = 0;
    for (int i = 0; i < conversations; i++) {
      Scene scene = scenes.get(i % scenes.size());
      byte[] forged = forger.next(scene.heard, !scene.initiates);
      try {
        hear(scene, forged);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(
            "conversation %d, %s, initiates %s: %s"
                .formatted(i, scene.side.method(), scene.initiates, HEX.formatHex(forged)),
            e);
      }
    }
    report.publishEntry(
        "peers",
        "%d conversations, %d results, refused %s; at most %d bytes allocated, %d sent"
            .formatted(conversations, results - scenes.size(), reasons, mostAllocated, mostSent));
  }

  private void hear(Scene scene, byte[] heard) throws IOException {
    InputStream in = new ByteArrayInputStream(heard);
    long[] sent = new long[1];
    OutputStream out =
        new OutputStream() {
          @Override
          public void write(int b) {
            sent[0]++;
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            sent[0] += length;
          }
        };
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      SetReconciliation.Result result =
          scene.initiates ? scene.side.initiate(in, out) : scene.side.respond(in, out);
      results++;
      check(scene, result);
    } catch (ReconciliationException e) {
      reasons.merge(e.reason(), 1, Integer::sum);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    mostAllocated = Math.max(mostAllocated, allocated);
    mostSent = Math.max(mostSent, sent[0]);
    if (allocated > MOST_ALLOCATED || sent[0] > MOST_SENT) {
      throw new AssertionError(allocated + " bytes allocated, " + sent[0] + " sent");
    }
  }

  /** Whatever the peer says, this side loses nothing, and adds only what it lacks. */
  private static void check(Scene scene, SetReconciliation.Result result) {
    Set<String> added = new HashSet<>();
    for (byte[] key : result.onlyThere()) {
      String hex = HEX.formatHex(key);
      if (scene.own.contains(hex) || !added.add(hex)) {
        throw new AssertionError("received " + hex + ", which is not new");
      }
    }
    for (byte[] key : result.onlyHere()) {
      if (!scene.own.contains(HEX.formatHex(key))) {
        throw new AssertionError("sent a key that this side does not have");
      }
    }
  }
}
