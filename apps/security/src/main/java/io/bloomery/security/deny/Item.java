package io.bloomery.security.deny;

import io.bloomery.security.deny.DenyList.Form;
import io.bloomery.security.deny.DenyList.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What is looked up: a digest of a file, an address, the name of a host, or a URL, which has one of
 * the two as well.
 */
record Item(
    @Nullable String digest,
    @Nullable Address address,
    @Nullable String name,
    @Nullable CanonicalUrl url) {

  /** Longer texts are no items. */
  static final int LONGEST = 1 << 16;

  private static final int LETTERS = 26;

  /** All that {@link #kind} may return is below this number. */
  static final int KINDS = LETTERS + Address.V4_BITS + Address.V6_BITS;

  private static final Pattern DIGEST =
      Pattern.compile("[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64}");
  private static final Pattern RANGE = Pattern.compile("[0-9a-fA-F.:]+/\\d+");
  private static final Pattern LETTERS_OR_COLON = Pattern.compile("[a-fA-F:]");
  private static final Pattern PORT = Pattern.compile(":\\d*$");
  private static final String SCHEME_END = "://";
  private static final String BEFORE_PATH = "/\\?";

  /** The item of a text; null if it is none. */
  static @Nullable Item of(String line) {
    String text = line.strip();
    if (text.isEmpty() || text.length() > LONGEST) {
      return null;
    }
    if (isDigest(text)) {
      return new Item(Names.lowerCase(text), null, null, null);
    }
    Address address = Address.parse(text);
    if (address != null) {
      return new Item(null, address, null, null);
    }
    if (isRange(text)) {
      return null;
    }
    return isUrl(text) ? ofUrl(CanonicalUrl.of(text)) : ofHost(text);
  }

  static boolean isDigest(String text) {
    return DIGEST.matcher(text).matches();
  }

  /** Whether a text is written like a network, whose length is not a path. */
  static boolean isRange(String text) {
    int colon = text.indexOf(':');
    boolean isOf6 = colon >= 0 && text.indexOf(':', colon + 1) >= 0; // else before a port
    return RANGE.matcher(text).matches() && (isOf6 || !LETTERS_OR_COLON.matcher(text).find());
  }

  /** Whether a text is a URL, or one without its scheme. */
  static boolean isUrl(String text) {
    return text.contains(SCHEME_END)
        || text.chars().anyMatch(c -> BEFORE_PATH.indexOf(c) >= 0)
        || text.startsWith("[");
  }

  private static @Nullable Item ofUrl(@Nullable CanonicalUrl url) {
    if (url == null) {
      return null;
    }
    return new Item(null, url.address(), url.address() == null ? url.host() : null, url);
  }

  /** A name or an address, perhaps with a user before it and a port after it. */
  private static @Nullable Item ofHost(String text) {
    String host = PORT.matcher(text.substring(text.lastIndexOf('@') + 1)).replaceFirst("");
    Address address = Address.parse(host);
    String name = address == null ? Names.canonical(host) : null;
    return address == null && name == null ? null : new Item(null, address, name, null);
  }

  /**
   * The rules that cover this item, if they are on a list, as a list that may be changed.
   *
   * @param kinds the kinds of rules that there are, as {@link #kind} numbers them
   */
  List<Rule> rules(BitSet kinds) {
    List<Rule> rules = new ArrayList<>();
    if (digest != null) {
      add(kinds, new Rule(Form.FILE, digest), rules);
    }
    if (url != null && kinds.get(kind(Form.URL))) {
      for (String expression : url.expressions()) {
        if (expression.indexOf('/') < expression.length() - 1) { // more than a host
          rules.add(new Rule(Form.URL, expression));
        }
      }
    }
    if (name != null) {
      add(kinds, new Rule(Form.HOST, name), rules);
      addDomains(kinds, name, rules);
    }
    if (address != null) {
      for (int length = address.bits(); length > 0; length--) {
        if (kinds.get(kind(address.bits(), length))) {
          rules.add(new Rule(Form.ADDRESSES, address.prefix(length)));
        }
      }
    }
    return rules;
  }

  private static void addDomains(BitSet kinds, String name, List<Rule> rules) {
    if (kinds.get(kind(Form.DOMAIN))) {
      rules.add(new Rule(Form.DOMAIN, name));
      for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
        rules.add(new Rule(Form.DOMAIN, name.substring(dot + 1)));
      }
    }
  }

  private static void add(BitSet kinds, Rule rule, List<Rule> rules) {
    if (kinds.get(kind(rule))) {
      rules.add(rule);
    }
  }

  /** A number for each form of rules, and each length of networks. */
  static int kind(Rule rule) {
    String text = rule.text();
    if (rule.form() != Form.ADDRESSES) {
      return kind(rule.form());
    }
    int bits = text.indexOf(':') < 0 ? Address.V4_BITS : Address.V6_BITS;
    return kind(bits, Integer.parseInt(text.substring(text.indexOf('/') + 1)));
  }

  private static int kind(Form form) {
    return form.letter() - 'a';
  }

  private static int kind(int bits, int length) {
    return LETTERS + (bits == Address.V4_BITS ? 0 : Address.V4_BITS) + length - 1;
  }
}
