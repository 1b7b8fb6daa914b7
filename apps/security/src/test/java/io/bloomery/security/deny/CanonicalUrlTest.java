package io.bloomery.security.deny;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CanonicalUrlTest {

  /** The examples of the specification; a byte that is not UTF-8 is a lone surrogate. */
  private static final Map<String, String> PUBLISHED =
      Map.ofEntries(
          Map.entry("http://host/%25%32%35", "http://host/%25"),
          Map.entry("http://host/%25%32%35%25%32%35", "http://host/%25%25"),
          Map.entry("http://host/%2525252525252525", "http://host/%25"),
          Map.entry("http://host/asdf%25%32%35asd", "http://host/asdf%25asd"),
          Map.entry("http://host/%%%25%32%35asd%%", "http://host/%25%25%25asd%25%25"),
          Map.entry("http://www.google.com/", "http://www.google.com/"),
          Map.entry(
              "http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/",
              "http://168.188.99.26/.secure/www.ebay.com/"),
          Map.entry(
              "http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/",
              "http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/"),
          Map.entry(
              "http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B",
              "http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+"),
          Map.entry("http://3279880203/blah", "http://195.127.0.11/blah"),
          Map.entry("http://www.google.com/blah/..", "http://www.google.com/"),
          Map.entry("www.google.com/", "http://www.google.com/"),
          Map.entry("www.google.com", "http://www.google.com/"),
          Map.entry("http://www.evil.com/blah#frag", "http://www.evil.com/blah"),
          Map.entry("http://www.GOOgle.com/", "http://www.google.com/"),
          Map.entry("http://www.google.com.../", "http://www.google.com/"),
          Map.entry("http://www.google.com/foo\tbar\rbaz\n2", "http://www.google.com/foobarbaz2"),
          Map.entry("http://www.google.com/q?", "http://www.google.com/q?"),
          Map.entry("http://www.google.com/q?r?", "http://www.google.com/q?r?"),
          Map.entry("http://www.google.com/q?r?s", "http://www.google.com/q?r?s"),
          Map.entry("http://evil.com/foo#bar#baz", "http://evil.com/foo"),
          Map.entry("http://evil.com/foo;", "http://evil.com/foo;"),
          Map.entry("http://evil.com/foo?bar;", "http://evil.com/foo?bar;"),
          Map.entry("http://\u0001\uDC80.com/", "http://%01%80.com/"),
          Map.entry("http://notrailingslash.com", "http://notrailingslash.com/"),
          Map.entry("http://www.gotaport.com:1234/", "http://www.gotaport.com/"),
          Map.entry("  http://www.google.com/  ", "http://www.google.com/"),
          Map.entry("http:// leadingspace.com/", "http://%20leadingspace.com/"),
          Map.entry("http://%20leadingspace.com/", "http://%20leadingspace.com/"),
          Map.entry("%20leadingspace.com/", "http://%20leadingspace.com/"),
          Map.entry("https://www.securesite.com/", "https://www.securesite.com/"),
          Map.entry("http://host.com/ab%23cd", "http://host.com/ab%23cd"),
          Map.entry(
              "http://host.com//twoslashes?more//slashes",
              "http://host.com/twoslashes?more//slashes"));

  private static CanonicalUrl url(String text) {
    return Objects.requireNonNull(CanonicalUrl.of(text), text);
  }

  @Test
  void thePublishedExamples() {
    PUBLISHED.forEach((text, canonical) -> assertThat(url(text)).hasToString(canonical));
  }

  /** What is canonical stays as it is, unless it says that something was escaped. */
  @Test
  void theCanonicalFormIsStable() {
    PUBLISHED.values().forEach(each -> assertThat(url(each)).hasToString(each));
  }

  @Test
  void thePublishedExpressions() {
    assertThat(url("http://a.b.c/1/2.html?param=1").expressions())
        .containsExactlyInAnyOrder(
            "a.b.c/1/2.html?param=1",
            "a.b.c/1/2.html",
            "a.b.c/",
            "a.b.c/1/",
            "b.c/1/2.html?param=1",
            "b.c/1/2.html",
            "b.c/",
            "b.c/1/");
    assertThat(url("http://a.b.c.d.e.f.g/1.html").expressions())
        .containsExactlyInAnyOrder(
            "a.b.c.d.e.f.g/1.html",
            "a.b.c.d.e.f.g/",
            "c.d.e.f.g/1.html",
            "c.d.e.f.g/",
            "d.e.f.g/1.html",
            "d.e.f.g/",
            "e.f.g/1.html",
            "e.f.g/",
            "f.g/1.html",
            "f.g/");
    assertThat(url("http://1.2.3.4/1/").expressions())
        .containsExactlyInAnyOrder("1.2.3.4/1/", "1.2.3.4/");
  }

  @Test
  void atMostFiveHostsAndSixPaths() {
    List<String> all = url("http://a.b.c.d.e.f.g.h/1/2/3/4/5/6?q").expressions();
    assertThat(all)
        .hasSize(30)
        .doesNotHaveDuplicates()
        .contains("g.h/1/2/3/")
        .allMatch(each -> !each.endsWith("/1/2/3/4/"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://user:pass@evil.com@good.com/, http://good.com/",
    "http://0x7f.1/, http://127.0.0.1/",
    "http://0177.0.0.01/, http://127.0.0.1/",
    "http://1.2.3.4:80/a, http://1.2.3.4/a",
    "http://1.2.3.256/, http://1.2.3.256/",
    "http://08.1.1.1/, http://08.1.1.1/",
    "http://[2001:0DB8:0:0:0::1]:8080/a, http://[2001:db8::1]/a",
    "http://[::ffff:1.2.3.4]/, http://1.2.3.4/",
    "http://[64:ff9b::102:304]/, http://1.2.3.4/",
    "http://evil.com\\@good.com/, http://evil.com/@good.com/",
    "http:////evil.com/, http://evil.com/",
    "http://evil.com?q, http://evil.com/?q",
    "http://evil.com/a/./b/../../../c/., http://evil.com/c/",
    "HTTP://EVIL.COM/A%2fB, http://evil.com/A/B",
    "http://bücher.example/ü, http://xn--bcher-kva.example/%C3%BC",
    "http://b%C3%BCcher.example/, http://xn--bcher-kva.example/",
    "http://..evil..com./, http://evil.com/",
  })
  void otherForms(String text, String canonical) {
    assertThat(url(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://",
        "http:///",
        "http://./",
        "http://[::1/",
        "http://[1.2.3.4.5]/",
        "/a",
        "?"
      })
  void withoutAHost(String text) {
    assertThat(CanonicalUrl.of(text)).isNull();
  }

  @Test
  void aHostIsNoLongerThanANameCanBe() {
    assertThat(CanonicalUrl.of("http://" + "a.".repeat(126) + "b/")).isNotNull();
    assertThat(CanonicalUrl.of("http://" + "a.".repeat(127) + "b/")).isNull();
  }

  /** Repeated passes would take a quarter of the square of its length. */
  @Test
  void manyEscapesOfOneCharacter() {
    assertThat(url("http://host/%" + "25".repeat(1_000_000) + "41")).hasToString("http://host/A");
  }
}
