package io.bloomery.net.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressTest {

  private static Address parse(String text) {
    return Address.parse(text, 0, text.length());
  }

  /** Against the JDK, in several forms of the same address. */
  @Test
  void addressesAreThoseOfTheJdk() throws UnknownHostException {
    SplittableRandom random = Seeds.random(31);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(4) == 0 ? 4 : 16];
      random.nextBytes(bytes);
      for (int j = 0; j < bytes.length; j += 2) {
        if (random.nextInt(3) == 0) {
          bytes[j] = 0;
          bytes[j + 1] = (byte) random.nextInt(2);
        }
      }
      InetAddress address = InetAddress.getByAddress(bytes);
      Address ours = Address.of(address);
      ByteBuffer expected = ByteBuffer.wrap(bytes);
      if (bytes.length == 4) {
        assertThat(ours).isEqualTo(Address.four(expected.getInt()));
        assertThat(ours).hasToString(address.getHostAddress());
      } else {
        assertThat(ours.high()).isEqualTo(expected.getLong());
        assertThat(ours.low()).isEqualTo(expected.getLong());
        assertThat(InetAddress.getByName(ours.toString())).isEqualTo(address);
      }
      assertThat(parse(address.getHostAddress())).isEqualTo(ours);
      assertThat(parse(ours.toString())).isEqualTo(ours);
    }
  }

  /** RFC 5952, sections 4.2 and 4.3; RFC 4291, section 2.2. */
  @ParameterizedTest
  @CsvSource({
    "2001:0DB8::0001, 2001:db8::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "0:0:0:0:0:0:0:0, ::",
    "0:0:0:0:0:0:0:1, ::1",
    "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
    "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
    "fe80::, fe80::",
    "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
    "::FFFF:129.144.52.38, 129.144.52.38",
    "::13.1.68.3, ::d01:4403"
  })
  void formsOfAddresses(String written, String usual) {
    assertThat(parse(written)).hasToString(usual);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "1.2.3.04",
        "1.2.3.",
        ".1.2.3",
        "1..2.3",
        "+1.2.3.4",
        "1.2.3.4 ",
        "1.2.3.1000",
        "::1::",
        ":::",
        ":",
        "1:2:3:4:5:6:7",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "12345::",
        "g::",
        "1:2:3:4:5:6:7:",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::1.2.3",
        "::1.2.3.4:5",
        "fe80::1%eth0",
        "\u0661.2.3.4",
        "::\u0661"
      })
  void whatIsNoAddress(String text) {
    assertThat(parse(text)).isNull();
  }

  @Test
  void prefixesAreCutAndMapped() {
    for (String text : List.of("10.0.0.0/8", "0.0.0.0/0", "::/0", "2001:db8::/33", "::/95")) {
      assertThat(Address.prefix(text, 0, text.length())).hasToString(text);
    }
    assertThat(Address.prefix("x 10.0.0.0/8 y", 2, 12)).hasToString("10.0.0.0/8");
    assertThat(Address.prefix("::ffff:10.0.0.0/104", 0, 19)).hasToString("10.0.0.0/8");
    assertThat(Address.prefix("::ffff:0:0/96", 0, 13)).hasToString("0.0.0.0/0");
    assertThat(Address.prefix("10.1.2.3", 0, 8)).hasToString("10.1.2.3");
    assertThatThrownBy(() -> Address.prefix("10.1.2.3/8", 0, 10))
        .hasMessage("'10.1.2.3/8' has bits after its length; the prefix is 10.0.0.0/8");
    assertThatThrownBy(() -> Address.prefix("::ffff:10.0.0.0/90", 0, 18))
        .hasMessageContaining("has bits after its length");
    for (String bad :
        List.of("10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "/8", "::/129")) {
      assertThatThrownBy(() -> Address.prefix(bad, 0, bad.length()))
          .hasMessage("'" + bad + "' is not a prefix: address/length");
    }
  }
}
