package io.bloomery.cli.security;

import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/** Keys of Ed25519 in PEM files, as OpenSSL writes them. */
final class SigningKeys {

  private static final int LONGEST = 1 << 14;

  private SigningKeys() {}

  static PrivateKey privateKey(Path file) {
    byte[] der = der(file, "PRIVATE KEY", "openssl genpkey -algorithm ed25519");
    try {
      return KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (GeneralSecurityException e) {
      throw new Problem(file, "is not a private key of Ed25519");
    }
  }

  static PublicKey publicKey(Path file) {
    byte[] der = der(file, "PUBLIC KEY", "openssl pkey -pubout");
    try {
      return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
    } catch (GeneralSecurityException e) {
      throw new Problem(file, "is not a public key of Ed25519");
    }
  }

  /** Fails as other commands do if a file is a directory. */
  static void requireFile(Path file) {
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory");
    }
  }

  private static byte[] der(Path file, String name, String maker) {
    requireFile(file);
    String text;
    try (InputStream in = Files.newInputStream(file)) {
      text = new String(in.readNBytes(LONGEST), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
    String begin = "-----BEGIN " + name + "-----";
    int start = text.indexOf(begin);
    int end = text.indexOf("-----END " + name + "-----");
    if (start < 0 || end < start) {
      throw new Problem(file, "has no " + name + " in PEM form; '" + maker + "' makes one");
    }
    try {
      return Base64.getMimeDecoder().decode(text.substring(start + begin.length(), end));
    } catch (IllegalArgumentException e) {
      throw new Problem(file, "is damaged: no Base64");
    }
  }
}
