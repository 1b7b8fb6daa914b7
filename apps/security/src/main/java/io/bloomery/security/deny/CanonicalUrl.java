package io.bloomery.security.deny;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.name.Octets;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL in the canonical form of the Safe Browsing update API: without escapes that need not be,
 * user, port and fragment. Other than there, a backslash before the query is a slash and slashes
 * before the host are skipped, as browsers read them.
 *
 * @param scheme in lower case
 * @param host a name or an address, one of IPv6 in brackets
 * @param address the address if the host is one
 * @param path from the first slash on
 * @param query from the question mark on; empty if there is none
 */
record CanonicalUrl(
    String scheme, String host, @Nullable Address address, String path, String query) {

  private static final String DEFAULT_SCHEME = "http";
  private static final Pattern SCHEME = Pattern.compile("^([a-zA-Z][a-zA-Z0-9+.-]*)://");
  private static final Pattern PORT = Pattern.compile(":\\d*$");
  private static final int MOST_SUFFIXES = 4;
  private static final int LONGEST_SUFFIX = 5; // labels
  private static final int DIRECTORIES = 4; // the root and three below
  private static final int ESCAPE = 3;

  /** The canonical form of a URL, also of one without scheme; null if it has no host. */
  static @Nullable CanonicalUrl of(String text) {
    String url = new String(Octets.bytes(text), ISO_8859_1).replaceAll("[\\t\\r\\n]", "");
    int from = 0;
    int to = url.length();
    while (from < to && url.charAt(from) == ' ') {
      from++;
    }
    while (to > from && url.charAt(to - 1) == ' ') {
      to--;
    }
    int fragment = url.indexOf('#', from);
    url = url.substring(from, fragment >= 0 && fragment < to ? fragment : to);
    Matcher prefix = SCHEME.matcher(url);
    boolean hasScheme = prefix.find();
    String scheme = hasScheme ? prefix.group(1).toLowerCase(Locale.ROOT) : DEFAULT_SCHEME;
    int mark = url.indexOf('?');
    String query = mark < 0 ? "" : url.substring(mark);
    String before = (mark < 0 ? url : url.substring(0, mark)).replace('\\', '/');
    int start = hasScheme ? Math.min(prefix.end(), before.length()) : 0;
    while (hasScheme && start < before.length() && before.charAt(start) == '/') {
      start++;
    }
    int slash = before.indexOf('/', start);
    String authority = before.substring(start, slash < 0 ? before.length() : slash);
    String path = slash < 0 ? "" : before.substring(slash);
    return of(scheme, authority, resolved(unescaped(path)), escaped(unescaped(query)));
  }

  private static @Nullable CanonicalUrl of(
      String scheme, String authority, String path, String query) {
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      Address address = end < 0 ? null : Address.parse(host.substring(1, end));
      return address == null ? null : of(scheme, address, path, query);
    }
    String name = unescaped(PORT.matcher(host).replaceFirst(""));
    name = withoutDots(inAscii(name));
    Address address = Address.parseAny4(name);
    if (address != null) {
      return of(scheme, address, path, query);
    }
    name = escaped(name);
    boolean hasPort = name.indexOf(':') >= 0; // that is no number
    return name.isEmpty() || hasPort || name.length() > Names.MOST_CHARACTERS
        ? null
        : new CanonicalUrl(scheme, name, null, path, query);
  }

  private static CanonicalUrl of(String scheme, Address address, String path, String query) {
    String host = address.bits() == Address.V4_BITS ? address.toString() : "[" + address + "]";
    return new CanonicalUrl(scheme, host, address, path, query);
  }

  /** A host in lower case, in Punycode if its bytes are letters beyond ASCII. */
  private static String inAscii(String host) {
    if (!Octets.isAscii(host)) {
      try {
        CharBuffer letters = UTF_8.newDecoder().decode(ByteBuffer.wrap(host.getBytes(ISO_8859_1)));
        String name = Names.ascii(letters.toString());
        if (name != null) {
          return name;
        }
      } catch (CharacterCodingException e) {
        return Names.lowerCase(host); // bytes of no letters, which are escaped
      }
    }
    return Names.lowerCase(host);
  }

  /** Without dots at the beginning and the end, and one for several. */
  private static String withoutDots(String host) {
    StringBuilder out = new StringBuilder();
    for (String label : host.split("\\.", -1)) {
      if (!label.isEmpty()) {
        out.append(out.length() == 0 ? "" : ".").append(label);
      }
    }
    return out.toString();
  }

  /**
   * Without any escape, however often it is escaped. What becomes an escape by another one is
   * looked at as soon as its last character is there, so that time is proportional to the length.
   */
  static String unescaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      out.append(text.charAt(i));
      int at = out.length() - ESCAPE;
      while (at >= 0 && out.charAt(at) == '%' && isHex(out, at + 1) && isHex(out, at + 2)) {
        char c = (char) Integer.parseInt(out, at + 1, at + ESCAPE, 16);
        out.setLength(at);
        out.append(c);
        at = out.length() - ESCAPE;
      }
    }
    return out.toString();
  }

  private static boolean isHex(CharSequence text, int at) {
    char c = text.charAt(at);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7F || c == '#' || c == '%') {
        out.append('%');
        out.append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        out.append(Character.toUpperCase(Character.forDigit(c & 0xF, 16)));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /** A path without steps to itself or up, and without empty parts. */
  private static String resolved(String path) {
    Deque<String> parts = new ArrayDeque<>();
    boolean isDirectory = true;
    for (String part : path.split("/", -1)) {
      isDirectory = part.isEmpty() || part.equals(".") || part.equals("..");
      if (!isDirectory) {
        parts.addLast(part);
      } else if (part.equals("..")) {
        parts.pollLast();
      }
    }
    StringBuilder out = new StringBuilder("/");
    for (Iterator<String> each = parts.iterator(); each.hasNext(); ) {
      out.append(each.next()).append(each.hasNext() || isDirectory ? "/" : "");
    }
    return escaped(out.toString());
  }

  /** Whether it is a whole host. */
  boolean isHost() {
    return path.equals("/") && query.isEmpty();
  }

  /** What a rule for this URL is: host, path and query. */
  String expression() {
    return host + path + query;
  }

  /** What rules that cover this URL are: each host with each path. */
  List<String> expressions() {
    List<String> all = new ArrayList<>();
    for (String each : hosts()) {
      for (String start : paths()) {
        all.add(each + start);
      }
    }
    return all;
  }

  /** The host, and the names of its last five to two labels. */
  private List<String> hosts() {
    List<String> hosts = new ArrayList<>();
    hosts.add(host);
    String[] labels = host.split("\\.", -1);
    int from = Math.max(1, labels.length - LONGEST_SUFFIX);
    for (int i = 0; address == null && i < MOST_SUFFIXES && from + i < labels.length - 1; i++) {
      hosts.add(String.join(".", List.of(labels).subList(from + i, labels.length)));
    }
    return hosts;
  }

  /** The path with and without the query, the root and up to three directories below it. */
  private Set<String> paths() {
    Set<String> paths = new LinkedHashSet<>();
    paths.add(path + query);
    paths.add(path);
    int end = 0;
    for (int i = 0; i < DIRECTORIES && end >= 0; i++) {
      paths.add(path.substring(0, end + 1));
      end = path.indexOf('/', end + 1);
    }
    return paths;
  }

  /** The whole URL. */
  @Override
  public String toString() {
    return scheme + "://" + expression();
  }
}
