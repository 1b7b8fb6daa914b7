package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.sync.Conversation.Part;
import io.bloomery.sync.ReconciliationException.Reason;
import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that are broken, cut off or hostile are refused, and nothing wrong is ever accepted. */
final class HostilePeerTest {

  private static final HexFormat HEX = HexFormat.of();

  private static SetReconciliation side(
      SetReconciliation.Method method, boolean lines, int own, int ownSet) {
    SetReconciliation.Builder builder =
        SetReconciliation.builder().method(method).seed(Seeds.of(3)).limit(1 << 20);
    LongStream.concat(Arrays.stream(Keys.members(300)), Arrays.stream(Keys.members(own, ownSet)))
        .forEach(
            key -> {
              if (lines) {
                builder.add("a line that is longer than 24 bytes " + key);
              } else {
                builder.add(key);
              }
            });
    return builder.build();
  }

  private static SetReconciliation here(SetReconciliation.Method method, boolean lines) {
    return side(method, lines, 12, 1);
  }

  private static SetReconciliation there(boolean lines) {
    return side(null, lines, 17, 2);
  }

  private static Set<String> hex(List<byte[]> keys) {
    return keys.stream().map(HEX::formatHex).collect(Collectors.toSet());
  }

  /** One side with given input: it must refuse the input or produce a correct result. */
  private interface Listener {
    SetReconciliation.Result hear(byte[] bytes) throws IOException;
  }

  /** Whether it was refused. */
  private static boolean isRefused(Listener listener, byte[] heard, SetReconciliation.Result right)
      throws IOException {
    SetReconciliation.Result result;
    try {
      result = listener.hear(heard);
    } catch (ReconciliationException e) {
      return true;
    }
    assertThat(result.exact()).isTrue();
    assertThat(hex(result.onlyHere())).isEqualTo(hex(right.onlyHere()));
    assertThat(hex(result.onlyThere())).isEqualTo(hex(right.onlyThere()));
    return false;
  }

  @ParameterizedTest
  @EnumSource(SetReconciliation.Method.class)
  void everyCutAndEveryFlippedByteIsRefused(SetReconciliation.Method method) throws IOException {
    for (boolean lines : new boolean[] {false, true}) {
      Conversation said = Conversation.of(here(method, lines), there(lines));
      damage(heard -> Conversation.initiate(here(method, lines), heard), said.responder());
      damage(heard -> Conversation.respond(there(lines), heard), said.initiator());
    }
  }

  private static void damage(Listener listener, byte[] heard) throws IOException {
    SetReconciliation.Result right = listener.hear(heard);
    int step = heard.length / Effort.of(160) + 1;
    for (int at = 0; at < heard.length; at += step) {
      byte[] cut = Arrays.copyOf(heard, at);
      assertThatThrownBy(() -> listener.hear(cut))
          .isInstanceOfSatisfying(
              ReconciliationException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.TRUNCATED));
      byte[] flipped = heard.clone();
      flipped[at] ^= (byte) (1 << (at % 8));
      assertThat(isRefused(listener, flipped, right)).as("byte %d", at).isTrue();
    }
  }

  /** Messages whose content is wrong and whose checksum is right. */
  @ParameterizedTest
  @EnumSource(SetReconciliation.Method.class)
  void forgedMessagesAreRefusedOrHarmless(SetReconciliation.Method method) throws IOException {
    for (boolean lines : new boolean[] {false, true}) {
      Conversation said = Conversation.of(here(method, lines), there(lines));
      forge(heard -> Conversation.initiate(here(method, lines), heard), said.responder());
      forge(heard -> Conversation.respond(there(lines), heard), said.initiator());
    }
  }

  private static void forge(Listener listener, byte[] heard) throws IOException {
    SetReconciliation.Result right = listener.hear(heard);
    int[] refused = new int[1];
    int cases = Effort.of(160);
    Property.check(
        77,
        cases,
        draw -> {
          List<Part> parts = new ArrayList<>(Conversation.parts(heard));
          int at = draw.between(0, parts.size() - 1);
          edit(draw, parts, at);
          refused[0] += isRefused(listener, Conversation.join(parts), right) ? 1 : 0;
        });
    assertThat(refused[0]).isGreaterThan(cases / 2);
  }

  private static void edit(Draw draw, List<Part> parts, int at) {
    Part part = parts.get(at);
    byte[] content = part.content().clone();
    switch (draw.between(0, 4)) {
      case 0 -> parts.remove(at);
      case 1 -> parts.add(at, part);
      case 2 -> parts.set(at, new Part(draw.between(0, 12), content));
      case 3 ->
          parts.set(
              at,
              new Part(part.type(), Arrays.copyOf(content, draw.between(0, content.length + 3))));
      default -> {
        for (int i = draw.between(1, 3); i > 0 && content.length > 0; i--) {
          int byteAt = draw.between(0, Math.min(content.length - 1, draw.between(0, 2) * 500 + 40));
          content[byteAt] =
              draw.oneOf(List.of(0, 1, 0x7F, 0x80, 0xFF, draw.between(0, 255))).byteValue();
        }
        parts.set(at, new Part(part.type(), content));
      }
    }
  }

  @Test
  void noiseIsRefused() {
    Property.check(
        5,
        Effort.of(2_000),
        draw -> {
          byte[] noise = draw.bytes(300);
          assertThatThrownBy(() -> Conversation.respond(there(false), noise))
              .isInstanceOf(ReconciliationException.class);
          assertThatThrownBy(() -> Conversation.initiate(here(null, false), noise))
              .isInstanceOf(ReconciliationException.class);
        });
  }

  /** A peer that never ends: what it sends is limited, whatever it announces. */
  @Test
  void endlessPeers() {
    for (int value : new int[] {0, 1, 0x7F, 0x80, 0xFF}) {
      InputStream endless =
          new InputStream() {
            @Override
            public int read() {
              return value;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) {
              Arrays.fill(bytes, offset, offset + length, (byte) value);
              return length;
            }
          };
      assertThatThrownBy(() -> there(false).respond(endless, OutputStream.nullOutputStream()))
          .isInstanceOf(ReconciliationException.class);
    }
    byte[] announced = {Message.HELLO, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07};
    assertThatThrownBy(() -> Conversation.respond(there(false), announced))
        .isInstanceOfSatisfying(
            ReconciliationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT));
  }

  @Test
  void aPeerOfAnotherVersionOrProtocol() throws IOException {
    Conversation said = Conversation.of(here(null, false), there(false));
    byte[] hello = Conversation.parts(said.initiator()).get(0).content();
    hello[4] = 2;
    assertThatThrownBy(
            () -> Conversation.respond(there(false), new Part(Message.HELLO, hello).sealed()))
        .hasMessage("the peer has version 2 of the protocol; this side has 1");
    assertThatThrownBy(
            () -> Conversation.respond(there(false), "GET / HTTP/1.1\r\n".getBytes(US_ASCII)))
        .hasMessageContaining("not a peer?");
  }

  /** The peer learns why it is refused. */
  @Test
  void aRefusalIsTold() {
    assertThatThrownBy(
            () ->
                Peers.run(
                    (in, out) -> {
                      out.write(new Part(Message.HELLO, new byte[9]).sealed());
                      return here(null, false).initiate(in, OutputStream.nullOutputStream());
                    },
                    there(false)::respond))
        .isInstanceOfSatisfying(
            ReconciliationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.REFUSED))
        .hasMessage("the peer refused: message 1 of the peer: does not begin a reconciliation");
  }

  /** Equal sets, or sets verified to be equal, are so no longer when keys may have been sent. */
  @Test
  void nothingIsAcceptedThatFollowsAVerification() throws IOException {
    Conversation said = Conversation.of(here(null, false), here(null, false));
    List<Part> equal = Conversation.parts(said.initiator());
    assertThat(equal).extracting(Part::type).containsExactly(Message.HELLO, Message.ACCEPT);
    byte[] rest = new byte[1 + (312 + 7) / 8]; // no keys, and none of the 312 here is lacked
    List<List<Part>> more =
        List.of(
            List.of(new Part(Message.SETTLE, new byte[2])),
            List.of(new Part(Message.ALL, new byte[0]), new Part(Message.REST, rest)));
    for (List<Part> questions : more) {
      List<Part> parts = new ArrayList<>(equal);
      parts.addAll(1, questions);
      assertThatThrownBy(() -> Conversation.respond(here(null, false), Conversation.join(parts)))
          .hasMessage("the peer ends although the sets differ; nothing was changed");
    }
  }

  /** Pipes that hold 16 bytes: sides take turns, so that neither waits for the other forever. */
  @ParameterizedTest
  @EnumSource(SetReconciliation.Method.class)
  void smallPipesDoNotStopBothSides(SetReconciliation.Method method) throws Exception {
    PipedInputStream atThere = new PipedInputStream(16);
    PipedInputStream atHere = new PipedInputStream(16);
    try (PipedOutputStream fromHere = new PipedOutputStream(atThere);
        PipedOutputStream fromThere = new PipedOutputStream(atHere)) {
      Thread responder =
          new Thread(
              () -> {
                try {
                  there(false).respond(atThere, fromThere);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      responder.start();
      SetReconciliation.Result result = here(method, false).initiate(atHere, fromHere);
      assertThat(result.exact()).isTrue();
      assertThat(result.onlyThere()).hasSize(17);
      responder.join();
    }
  }

  @Test
  void limitsHold() {
    SetReconciliation.Builder small = SetReconciliation.builder().limit(1 << 10);
    SetReconciliation few = small.add(1).build();
    assertThatThrownBy(() -> Peers.run(few, there(false)))
        .isInstanceOfSatisfying(
            ReconciliationException.class, e -> assertThat(e.reason()).isEqualTo(Reason.LIMIT));
  }

  @Test
  void streamsThatFailAreTheirOwnProblem() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("broken");
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            throw new IOException("broken");
          }
        };
    assertThatThrownBy(() -> there(false).respond(broken, OutputStream.nullOutputStream()))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("broken");
    assertThatThrownBy(() -> there(false).respond(null, OutputStream.nullOutputStream()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("in");
  }
}
