package io.bloomery.net.message;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requested URLs and the digests of bodies in one direction of HTTP/1, as it passes. Bodies are
 * taken as they are sent; nothing is unpacked.
 */
public final class WebMessages {

  private enum Part {
    START,
    HEADER,
    BODY,
    TO_THE_END,
    CHUNK_SIZE,
    CHUNK,
    CHUNK_END,
    TRAILER,
    OTHER
  }

  private static final int LONGEST_METHOD = 7;
  private static final int MOST_LINE = 1 << 13;
  private static final int MOST_HEADER = 1 << 16;

  private final Consumer<byte[]> urls;
  private final Consumer<byte[]> bodies;
  private final List<MessageDigest> digests;
  private Part part = Part.START;
  private byte[] line = new byte[256];
  private int lineLength;
  private int headerLength;
  private long left;
  private long length;
  private boolean isChunked;
  private boolean isRequest;
  private boolean isWithoutBody;
  private String target = "";
  private String host = "";

  /**
   * Begins where a direction does.
   *
   * @param urls takes the URL of each request, as {@link #url} returns it
   * @param bodies takes the digests of each body
   * @param algorithms of digests, none to look at requests only
   */
  public WebMessages(Consumer<byte[]> urls, Consumer<byte[]> bodies, List<String> algorithms) {
    this.urls = urls;
    this.bodies = bodies;
    this.digests = algorithms.stream().map(WebMessages::digest).toList();
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Whether a message may begin here: with HTTP/1. or a method and a blank.
   *
   * @param isPart whether a part of that suffices
   */
  public static boolean mayBegin(byte[] bytes, int from, int length, boolean isPart) {
    for (int i = 0; i < Math.min(length, LONGEST_METHOD + 1); i++) {
      byte each = bytes[from + i];
      if (each < 'A' || each > 'Z') {
        return each == ' ' ? i > 2 : i == 4 && each == '/';
      }
    }
    return isPart && length <= LONGEST_METHOD;
  }

  /** Whether it is something else than HTTP, or too much of it is missing. */
  public boolean isOver() {
    return part == Part.OTHER;
  }

  /** Takes the next bytes. */
  public void take(byte[] bytes, int from, int count) {
    int at = from;
    int end = from + count;
    while (at < end && part != Part.OTHER) {
      switch (part) {
        case BODY, CHUNK, TO_THE_END -> at += body(bytes, at, end);
        default -> at = readLine(bytes, at, end);
      }
    }
  }

  /** Bytes are missing. */
  public void lose() {
    part = Part.OTHER;
  }

  /** Nothing follows. */
  public void end() {
    if (part == Part.TO_THE_END) {
      finish();
    }
    part = Part.OTHER;
  }

  private int body(byte[] bytes, int at, int end) {
    int taken = (int) Math.min(end - at, left);
    for (MessageDigest digest : digests) {
      digest.update(bytes, at, taken);
    }
    left -= taken;
    if (left == 0) {
      if (part == Part.BODY) {
        finish();
        part = Part.START;
      } else {
        part = Part.CHUNK_END;
      }
    }
    return taken;
  }

  private void finish() {
    for (MessageDigest digest : digests) {
      bodies.accept(digest.digest());
    }
  }

  private int readLine(byte[] bytes, int from, int end) {
    int at = from;
    while (at < end && bytes[at] != '\n') {
      at++;
    }
    int added = at - from;
    if (lineLength + added > MOST_LINE) {
      part = Part.OTHER;
      return end;
    }
    if (lineLength + added > line.length) {
      line = Arrays.copyOf(line, Math.max(lineLength + added, 2 * line.length));
    }
    System.arraycopy(bytes, from, line, lineLength, added);
    lineLength += added;
    if (part == Part.START && !mayBegin()) {
      part = Part.OTHER;
      return end;
    }
    if (at == end) {
      return end;
    }
    int stripped = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
    String text = new String(line, 0, stripped, StandardCharsets.ISO_8859_1);
    headerLength += lineLength;
    lineLength = 0;
    if (headerLength > MOST_HEADER) {
      part = Part.OTHER;
    } else {
      line(text);
    }
    return at + 1;
  }

  /** Whether the first characters are those of a method or of HTTP's version. */
  private boolean mayBegin() {
    for (int i = 0; i < Math.min(lineLength, 3); i++) {
      boolean isLetter = line[i] >= 'A' && line[i] <= 'Z';
      if (!isLetter && line[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  private void line(String text) {
    switch (part) {
      case START -> start(text);
      case HEADER -> header(text);
      case CHUNK_SIZE -> chunk(text);
      case CHUNK_END -> part = text.isEmpty() ? Part.CHUNK_SIZE : Part.OTHER;
      case TRAILER -> {
        if (text.isEmpty()) {
          part = Part.START;
          finish();
        }
      }
      default -> part = Part.OTHER;
    }
  }

  private void start(String text) {
    if (text.isEmpty()) {
      return; // between messages
    }
    headerLength = 0;
    length = -1;
    isChunked = false;
    host = "";
    digests.forEach(MessageDigest::reset);
    String[] words = text.split(" ", 3);
    isRequest = words.length == 3 && words[2].startsWith("HTTP/1.");
    boolean isReply = words.length >= 2 && words[0].startsWith("HTTP/1.");
    isWithoutBody = isReply && words[1].matches("1..|204|304");
    target = isRequest ? words[1] : "";
    part = isRequest || isReply ? Part.HEADER : Part.OTHER;
  }

  private void header(String text) {
    if (text.isEmpty()) {
      headerEnd();
      return;
    }
    int colon = text.indexOf(':');
    if (colon < 0) {
      return;
    }
    String value = text.substring(colon + 1).strip();
    switch (text.substring(0, colon).toLowerCase(Locale.ROOT)) {
      case "host" -> host = value;
      case "content-length" -> length = number(value, 10);
      case "transfer-encoding" -> isChunked = value.toLowerCase(Locale.ROOT).endsWith("chunked");
      default -> {
        // of no interest
      }
    }
  }

  /** A number of up to 15 digits; -1 if it is none. */
  private static long number(String text, int radix) {
    try {
      long value = text.isEmpty() || text.length() > 15 ? -1 : Long.parseLong(text, radix);
      return Math.max(-1, value);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private void headerEnd() {
    headerLength = 0;
    if (isRequest) {
      byte[] url = url(target.startsWith("/") ? host + target : target);
      if (url != null) {
        urls.accept(url);
      }
    }
    if (isChunked) {
      part = Part.CHUNK_SIZE;
    } else if (length > 0 && !isWithoutBody) {
      left = length;
      part = Part.BODY;
    } else if (isRequest || isWithoutBody || length == 0) {
      part = Part.START;
    } else {
      left = Long.MAX_VALUE;
      part = Part.TO_THE_END;
    }
  }

  private void chunk(String text) {
    headerLength = 0;
    int end = text.indexOf(';');
    left = number((end < 0 ? text : text.substring(0, end)).strip(), 16);
    part = left < 0 ? Part.OTHER : left == 0 ? Part.TRAILER : Part.CHUNK;
  }

  /** A URL as it is compared: without scheme, port 80 and fragment, its host in lower case. */
  public static byte @Nullable [] url(String text) {
    int scheme = text.indexOf("://");
    String rest = scheme < 0 || text.indexOf('/') < scheme ? text : text.substring(scheme + 3);
    int fragment = rest.indexOf('#');
    rest = fragment < 0 ? rest : rest.substring(0, fragment);
    int slash = rest.indexOf('/');
    String host = (slash < 0 ? rest : rest.substring(0, slash)).toLowerCase(Locale.ROOT);
    host = host.endsWith(":80") ? host.substring(0, host.length() - 3) : host;
    String path = slash < 0 ? "/" : rest.substring(slash);
    return host.isEmpty() ? null : (host + path).getBytes(StandardCharsets.ISO_8859_1);
  }
}
