package io.bloomery.security.deny;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressTest {

  private static Address address(String text) {
    return Objects.requireNonNull(Address.parse(text), text);
  }

  @ParameterizedTest
  @CsvSource({
    "1.2.3.4, 1.2.3.4",
    "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "2001:db8::, 2001:db8::",
    "::, ::",
    "::1, ::1",
    "1:0:2:0:0:0:0:3, 1:0:2::3",
    "1:2:3:4:5:6:0:8, 1:2:3:4:5:6:0:8",
    "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
    "::ffff:1.2.3.4, 1.2.3.4",
    "64:ff9b::1.2.3.4, 1.2.3.4",
  })
  void addresses(String text, String canonical) {
    assertThat(address(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.256",
        "01.2.3.4",
        "0x1.2.3.4",
        "1.2.3.",
        "+1.2.3.4",
        "1.2.3.٣",
        ":",
        ":::",
        "1::2::3",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1:2:3:4:5:6:7::8",
        "12345::",
        "g::",
        "::1.2.3",
        "1.2.3.4::",
        "::1%eth0",
        ":1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:1.2.3.4"
      })
  void noAddress(String text) {
    assertThat(Address.parse(text)).isNull();
  }

  /** The JDK reads what is written, and what is written is the shortest form. */
  @Test
  void asTheJdkReadsThem() throws Exception {
    SplittableRandom random = Seeds.random(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[16];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) (random.nextInt(3) == 0 ? random.nextInt(256) : 0);
      }
      InetAddress expected = InetAddress.getByAddress(bytes);
      if (expected instanceof Inet6Address && (bytes[0] | bytes[1] | bytes[2]) != 0) {
        String written = expected.getHostAddress();
        assertThat(InetAddress.getByName(address(written).toString())).isEqualTo(expected);
        assertThat(address(address(written).toString())).isEqualTo(address(written));
      }
    }
  }

  @Test
  void networks() {
    assertThat(address("10.11.12.13").prefix(8)).isEqualTo("10.0.0.0/8");
    assertThat(address("10.11.12.13").prefix(31)).isEqualTo("10.11.12.12/31");
    assertThat(address("255.255.255.255").prefix(1)).isEqualTo("128.0.0.0/1");
    assertThat(address("2001:db8:ffff:ffff:ffff::1").prefix(33)).isEqualTo("2001:db8:8000::/33");
    assertThat(address("2001:db8::ffff:ffff").prefix(97)).isEqualTo("2001:db8::8000:0/97");
    assertThat(address("2001:db8::1").prefix(64)).isEqualTo("2001:db8::/64");
    assertThat(address("2001:db8::1").prefix(128)).isEqualTo("2001:db8::1/128");
  }
}
