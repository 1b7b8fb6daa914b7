package io.bloomery.security.version;

/** Names without packages, which relocation changes. */
final class Names {

  private Names() {}

  /** The last part of the internal name of a class. */
  static String simple(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** The descriptor of a field or method, with simple names. */
  static String descriptor(String descriptor) {
    StringBuilder out = new StringBuilder(descriptor.length());
    int at = 0;
    while (at < descriptor.length()) {
      int name = descriptor.indexOf('L', at);
      int end = name < 0 ? -1 : descriptor.indexOf(';', name);
      if (end < 0) {
        break;
      }
      out.append(descriptor, at, name + 1);
      out.append(simple(descriptor.substring(name + 1, end))).append(';');
      at = end + 1;
    }
    return out.append(descriptor, at, descriptor.length()).toString();
  }

  /**
   * A text in which each identifier that a dot or slash joins to the next one is left out: what
   * remains of the name of a class or resource is its last part.
   */
  static String withoutPackages(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      if (!Character.isJavaIdentifierPart(text.charAt(at))) {
        out.append(text.charAt(at++));
        continue;
      }
      int end = at;
      while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
        end++;
      }
      boolean isJoined =
          Character.isJavaIdentifierStart(text.charAt(at))
              && end + 1 < text.length()
              && (text.charAt(end) == '.' || text.charAt(end) == '/')
              && Character.isJavaIdentifierStart(text.charAt(end + 1));
      if (!isJoined) {
        out.append(text, at, end);
      }
      at = isJoined ? end + 1 : end;
    }
    return out.toString();
  }
}
