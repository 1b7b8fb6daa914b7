package io.bloomery.sync;

import io.bloomery.sync.Conversation.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a hostile peer sends: a recording of an honest one with some messages changed, messages of
 * random fields in a random order, or noise. All but noise has right checksums.
 */
final class PeerForger {

  /** Numbers at which something changes, or that are too large for something. */
  private static final long[] NUMBERS = {
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    24,
    25,
    64,
    255,
    256,
    300,
    312,
    1_000,
    1 << 10,
    4_000,
    1 << 14,
    1 << 16,
    1 << 17,
    1 << 20,
    11_000_000,
    1 << 25,
    1 << 26,
    (1 << 26) + 1,
    1L << 29,
    1L << 30,
    Integer.MAX_VALUE,
    1L << 31,
    1L << 32,
    1L << 40,
    1L << 62,
    Long.MAX_VALUE,
    -1
  };

  private final SplittableRandom random;

  PeerForger(SplittableRandom random) {
    this.random = random;
  }

  private long number() {
    return random.nextInt(4) == 0
        ? random.nextLong(2_000)
        : NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private byte[] noise(int most) {
    byte[] bytes = new byte[random.nextInt(most + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** The bytes of one peer, given what an honest one says. */
  byte[] next(byte[] honest, boolean initiates) {
    return switch (random.nextInt(8)) {
      case 0 -> noise(400);
      case 1, 2, 3 -> Conversation.join(invented(initiates));
      default -> Conversation.join(changed(honest));
    };
  }

  private List<Part> changed(byte[] honest) {
    List<Part> parts = new ArrayList<>(Conversation.parts(honest));
    for (int edits = 1 + random.nextInt(3); edits > 0 && !parts.isEmpty(); edits--) {
      int at = random.nextInt(parts.size());
      Part part = parts.get(at);
      switch (random.nextInt(7)) {
        case 0 -> parts.remove(at);
        case 1 -> parts.add(random.nextInt(parts.size() + 1), part);
        case 2 -> parts.set(at, new Part(random.nextInt(13), part.content()));
        case 3 -> parts.add(at, invented());
        case 4 -> parts.set(at, new Part(part.type(), resized(part.content())));
        default -> parts.set(at, new Part(part.type(), edited(part.content())));
      }
    }
    return parts;
  }

  private byte[] resized(byte[] content) {
    return Arrays.copyOf(content, random.nextInt(content.length + 4));
  }

  /** Replaces some bytes, mostly at the beginning, by others or by a number. */
  private byte[] edited(byte[] content) {
    if (content.length == 0) {
      return content;
    }
    byte[] edited = content.clone();
    int at = random.nextInt(random.nextBoolean() ? edited.length : Math.min(edited.length, 40));
    if (random.nextBoolean()) {
      edited[at] ^= (byte) (1 << random.nextInt(8));
      return edited;
    }
    byte[] number = Conversation.bytes(new Message(0).number(number()));
    byte[] rest = Arrays.copyOfRange(edited, at + 1, edited.length);
    byte[] joined = Arrays.copyOf(edited, at + number.length + rest.length);
    System.arraycopy(number, 0, joined, at, number.length);
    System.arraycopy(rest, 0, joined, at + number.length, rest.length);
    return joined;
  }

  private List<Part> invented(boolean initiates) {
    List<Part> parts = new ArrayList<>();
    parts.add(hello(initiates));
    for (int i = random.nextInt(random.nextInt(20) == 0 ? 600 : 8); i >= 0; i--) {
      parts.add(invented());
    }
    return parts;
  }

  private Part hello(boolean initiates) {
    Message hello =
        Greeting.begin().number(random.nextInt(6)).number(random.nextInt(2)).number(number());
    int length = random.nextInt(3) == 0 ? (int) Math.min(number() & 0xFFFF, 3_000) : Long.BYTES;
    hello.number(length).number(random.nextInt(3) == 0 ? number() : length);
    hello.word(random.nextLong()).word(random.nextLong());
    if (initiates) {
      hello.word(HostilePeersTest.SEED);
    } else {
      int levels = random.nextInt(22);
      hello.number(levels);
      for (int i = 0; i < levels * ParitySketch.LEVEL_BITS / Long.SIZE; i++) {
        hello.word(random.nextInt(3) == 0 ? random.nextLong() : 0);
      }
    }
    return part(hello);
  }

  private static Part part(Message message) {
    return new Part(message.type(), Conversation.bytes(message));
  }

  private Part invented() {
    Message message = new Message(1 + random.nextInt(11));
    switch (message.type()) {
      case Message.TABLE -> message.number(number()).number(random.nextInt(6));
      case Message.SYMBOLS -> message.number(random.nextInt(2) * number()).number(number());
      case Message.SUMMARY -> message.number(random.nextInt(6));
      case Message.EXCHANGE -> keys(message.number(2 + random.nextInt(2)));
      case Message.SETTLE -> {
        keys(message).number(number());
        for (int i = random.nextInt(20); i > 0; i--) {
          message.word(random.nextLong());
        }
      }
      case Message.REST -> keys(message);
      case Message.VERIFY -> message.number(number()).word(1).word(2);
      case Message.ACCEPT -> message.number(random.nextInt(2)).number(random.nextInt(6));
      default -> {}
    }
    if (random.nextInt(4) == 0) {
      byte[] more = noise(random.nextInt(10) == 0 ? 100_000 : 300);
      message.bytes(more, 0, more.length);
    }
    return part(message);
  }

  /** A list of keys of 8 bytes, sometimes of more than there are. */
  private Message keys(Message message) {
    int count = random.nextInt(random.nextInt(20) == 0 ? 10_000 : 10);
    message.number(random.nextInt(5) == 0 ? number() : count);
    for (int i = 0; i < count; i++) {
      message.word(random.nextLong());
    }
    return message;
  }
}
