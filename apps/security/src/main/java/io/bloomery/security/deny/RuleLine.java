package io.bloomery.security.deny;

import io.bloomery.security.deny.DenyList.Form;
import io.bloomery.security.deny.DenyList.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of a list.
 *
 * @param rules what it says is listed; none if it is empty or a comment
 * @param isAllowed whether it is an exception, which allows what others deny
 * @param problem what is wrong with it; null if nothing is
 */
record RuleLine(List<Rule> rules, boolean isAllowed, @Nullable String problem) {

  private static final String EXCEPTION = "@@";
  private static final String DOMAIN = "||";
  private static final String COMMENTS = "#!;";
  private static final Pattern COMMENT_AFTER = Pattern.compile("(?s)\\s[#;].*$");
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern DOMAIN_END = Pattern.compile("\\^\\|?$");
  private static final Pattern NETWORK = Pattern.compile("([^/]+)/(\\d{1,3})");
  private static final Set<String> SINKS = Set.of("0.0.0.0", "127.0.0.1", "::", "::1");

  /** Names in the first lines of hosts files, which say where this machine and its network are. */
  private static final Set<String> LOCAL =
      Set.of(
          "localhost",
          "localhost.localdomain",
          "local",
          "broadcasthost",
          "ip6-localhost",
          "ip6-loopback",
          "ip6-localnet",
          "ip6-mcastprefix",
          "ip6-allnodes",
          "ip6-allrouters",
          "ip6-allhosts",
          "0.0.0.0");

  static RuleLine of(String line) {
    String text = line.strip();
    if (text.isEmpty()
        || COMMENTS.indexOf(text.charAt(0)) >= 0
        || text.toLowerCase(Locale.ROOT).startsWith("[adblock")) {
      return new RuleLine(List.of(), false, null);
    }
    text = COMMENT_AFTER.matcher(text).replaceFirst("").strip();
    boolean isAllowed = text.startsWith(EXCEPTION);
    if (isAllowed) {
      text = text.substring(EXCEPTION.length());
    }
    try {
      return new RuleLine(rules(text), isAllowed, null);
    } catch (IllegalArgumentException e) {
      return new RuleLine(List.of(), isAllowed, e.getMessage());
    }
  }

  private static List<Rule> rules(String text) {
    String[] words = SPACE.split(text);
    if (words.length > 1) {
      return hosts(words);
    }
    return List.of(text.startsWith("|") ? adBlock(text) : rule(text));
  }

  private static List<Rule> hosts(String[] words) {
    Address target = Address.parse(words[0]);
    if (target == null && words[0].indexOf(':') < 0) {
      throw new IllegalArgumentException("several words, of which the first is no address");
    }
    List<Rule> rules = new ArrayList<>();
    for (String word : List.of(words).subList(1, words.length)) {
      if (!LOCAL.contains(Names.lowerCase(word))) {
        if (target == null || !SINKS.contains(target.toString())) {
          throw new IllegalArgumentException("the address of a host, which denies nothing");
        }
        rules.add(new Rule(Form.HOST, name(word)));
      }
    }
    return rules;
  }

  private static Rule adBlock(String text) {
    Matcher end = DOMAIN_END.matcher(text);
    if (!text.startsWith(DOMAIN) || !end.find()) {
      throw new IllegalArgumentException(
          text.indexOf('$') >= 0
              ? "a rule with a modifier, which says more than that a domain is listed"
              : "a rule of an ad blocker that is not ||domain^");
    }
    String domain = text.substring(DOMAIN.length(), end.start());
    Address address = Address.parse(domain);
    return address == null ? covering(domain) : network(address, address.bits());
  }

  /** A name and all below it, written with or without a wildcard. */
  private static Rule covering(String text) {
    String domain = text.startsWith("*.") ? text.substring(2) : text;
    return new Rule(Form.DOMAIN, name(domain));
  }

  private static Rule rule(String text) {
    if (text.length() > Item.LONGEST) {
      throw new IllegalArgumentException("longer than " + Item.LONGEST + " characters");
    }
    if (Item.isDigest(text)) {
      return new Rule(Form.FILE, Names.lowerCase(text));
    }
    Address address = Address.parse(text);
    if (address != null) {
      return network(address, address.bits());
    }
    Matcher network = NETWORK.matcher(text);
    if (network.matches()) {
      Address first = Address.parse(network.group(1));
      if (first != null) {
        return network(first, length(network.group(1), first, network.group(2)));
      }
    }
    if (Item.isRange(text)) {
      throw new IllegalArgumentException("a network without a whole address");
    }
    if (Item.isUrl(text)) {
      return url(CanonicalUrl.of(text));
    }
    if (text.startsWith("*.") || text.startsWith(".")) {
      return covering(text.startsWith(".") ? text.substring(1) : text);
    }
    String name = name(text);
    if (name.indexOf('.') < 0) {
      throw new IllegalArgumentException("one word; a whole top-level domain is ||word^");
    }
    return new Rule(Form.DOMAIN, name);
  }

  private static int length(String written, Address first, String digits) {
    int length = Integer.parseInt(digits);
    boolean isEmbedded = first.bits() == Address.V4_BITS && written.indexOf(':') >= 0;
    return isEmbedded ? length - Address.EMBEDDING_BITS : length;
  }

  private static Rule network(Address first, int length) {
    if (length < 1 || length > first.bits()) {
      throw new IllegalArgumentException("a network whose length is not 1 to " + first.bits());
    }
    return new Rule(Form.ADDRESSES, first.prefix(length));
  }

  private static Rule url(@Nullable CanonicalUrl url) {
    if (url == null) {
      throw new IllegalArgumentException("a URL without a host");
    }
    Address address = url.address();
    if (address == null && name(url.host()).indexOf('.') < 0) {
      throw new IllegalArgumentException("a URL whose host is one word");
    }
    if (!url.isHost()) {
      return new Rule(Form.URL, url.expression());
    }
    return address == null ? new Rule(Form.DOMAIN, url.host()) : network(address, address.bits());
  }

  private static String name(String text) {
    String name = Names.canonical(text);
    if (name == null) {
      throw new IllegalArgumentException(
          text.indexOf('*') >= 0
              ? "a wildcard that is not *. at the beginning"
              : text.indexOf('@') >= 0 ? "an address of mail, not a domain" : "not a domain");
    }
    return name;
  }
}
