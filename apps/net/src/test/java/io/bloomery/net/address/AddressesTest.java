package io.bloomery.net.address;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Addresses as RFC 5952 writes them, section 4. */
class AddressesTest {

  private static String six(String groups) {
    String[] parts = groups.split(" ", -1);
    long high = 0;
    long low = 0;
    for (int i = 0; i < 8; i++) {
      long group = Long.parseLong(parts[i], 16);
      high = i < 4 ? high << 16 | group : high;
      low = i < 4 ? low : low << 16 | group;
    }
    return Addresses.text(6, high, low);
  }

  @Test
  void theExamplesOfTheStandard() {
    assertThat(six("2001 db8 0 0 0 0 2 1")).isEqualTo("2001:db8::2:1");
    assertThat(six("2001 db8 0 1 1 1 1 1")).isEqualTo("2001:db8:0:1:1:1:1:1");
    assertThat(six("2001 0 0 1 0 0 0 1")).isEqualTo("2001:0:0:1::1");
    assertThat(six("2001 db8 0 0 1 0 0 1")).isEqualTo("2001:db8::1:0:0:1");
    assertThat(six("0 0 0 0 0 0 0 1")).isEqualTo("::1");
    assertThat(six("0 0 0 0 0 0 0 0")).isEqualTo("::");
    assertThat(six("fe80 0 0 0 0 0 0 0")).isEqualTo("fe80::");
    assertThat(six("0 0 0 0 0 ffff c000 201")).isEqualTo("::ffff:192.0.2.1");
    assertThat(Addresses.text(4, 0, 0xFFFF_C0A8_00FFL)).isEqualTo("192.168.0.255");
  }
}
