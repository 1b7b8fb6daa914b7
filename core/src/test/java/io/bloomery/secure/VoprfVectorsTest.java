package io.bloomery.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors of RFC 9497, appendix A, for P256-SHA256: OPRF and VOPRF, single words and two. */
final class VoprfVectorsTest {

  private static final HexFormat HEX = HexFormat.of();

  /** One exchange of a suite. */
  private record Exchange(Map<?, ?> suite, Map<?, ?> vector) {

    int mode() {
      return ((Double) suite.get("mode")).intValue();
    }

    byte[][] list(String name) {
      return Arrays.stream(((String) vector.get(name)).split(",", -1))
          .map(HEX::parseHex)
          .toArray(byte[][]::new);
    }

    byte[] joined(String name) {
      return HEX.parseHex(((String) vector.get(name)).replace(",", ""));
    }

    BigInteger[] scalars(String name) {
      return Arrays.stream(list(name))
          .map(each -> new BigInteger(1, each))
          .toArray(BigInteger[]::new);
    }

    byte[] proof(String name) {
      return HEX.parseHex((String) ((Map<?, ?>) vector.get("Proof")).get(name));
    }

    @Override
    public String toString() {
      return "mode " + mode() + ", " + vector.get("Input");
    }
  }

  static List<Exchange> exchanges() {
    List<Exchange> exchanges = new ArrayList<>();
    for (Object suite : (List<?>) Json.resource("/vectors/rfc9497-p256-sha256.json")) {
      for (Object vector : (List<?>) ((Map<?, ?>) suite).get("vectors")) {
        exchanges.add(new Exchange((Map<?, ?>) suite, (Map<?, ?>) vector));
      }
    }
    assertThat(exchanges).hasSize(5);
    return exchanges;
  }

  @ParameterizedTest
  @MethodSource("exchanges")
  void everyStepIsThatOfTheRfc(Exchange exchange) {
    Voprf functions = Voprf.of(exchange.mode());
    BigInteger key =
        functions.deriveKey(
            HEX.parseHex((String) exchange.suite.get("seed")),
            HEX.parseHex((String) exchange.suite.get("keyInfo")));
    assertThat(functions.encode(key))
        .asHexString()
        .isEqualToIgnoringCase((String) exchange.suite.get("skSm"));

    byte[][] inputs = exchange.list("Input");
    BigInteger[] blinds = exchange.scalars("Blind");
    Voprf.Elements blinded = functions.blind(inputs, blinds);
    assertThat(blinded.encoded()).isEqualTo(exchange.joined("BlindedElement"));
    Voprf.Elements evaluated = functions.evaluate(blinded, key);
    assertThat(evaluated.encoded()).isEqualTo(exchange.joined("EvaluationElement"));
    List<byte[]> values = functions.finish(inputs, blinds, evaluated);
    byte[][] outputs = exchange.list("Output");
    for (int i = 0; i < inputs.length; i++) {
      assertThat(values.get(i)).isEqualTo(outputs[i]);
      assertThat(functions.evaluate(inputs[i], key)).isEqualTo(outputs[i]);
    }

    if (exchange.mode() == Voprf.VOPRF) {
      byte[] publicKey = functions.publicKey(key);
      assertThat(publicKey).isEqualTo(HEX.parseHex((String) exchange.suite.get("pkSm")));
      BigInteger nonce = new BigInteger(1, exchange.proof("r"));
      byte[] proof = functions.prove(key, publicKey, blinded, evaluated, nonce);
      assertThat(proof).isEqualTo(exchange.proof("proof"));
      assertThat(functions.verify(functions.publicKey(publicKey), blinded, evaluated, proof))
          .isTrue();
    }
  }
}
