package io.bloomery.cli.security;

import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a list is.
 *
 * @param made what was made as an update, if any
 */
record RevokedReport(Path file, RevocationList list, @Nullable Published made) {

  String text() {
    return "%s: list %d, %s of %s revoked, %s%s\n"
        .formatted(
            Octets.name(file),
            list.terms().serial(),
            Text.count(list.revoked()),
            Text.count(list.universe(), "key"),
            Text.size(list.toBytes().length),
            update());
  }

  private String update() {
    return made == null
        ? ""
        : "; update %s: %s".formatted(Text.size(made.update().length), made.reason());
  }

  String json() {
    return new Report()
        .value("file", Octets.name(file))
        .value("serial", list.terms().serial())
        .value("validFrom", list.terms().validFrom().toString())
        .value("validTo", list.terms().validTo().toString())
        .value("universe", list.universe())
        .value("revoked", list.revoked())
        .value("updates", list.updates())
        .value("bytes", list.toBytes().length)
        .value("updateBytes", made == null ? null : made.update().length)
        .value("updateIsWhole", made == null ? null : !made.isDelta())
        .value("reason", made == null ? null : made.reason())
        .json();
  }
}
