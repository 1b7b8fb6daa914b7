package io.bloomery.tools.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Recognises what the kernel makes up, such as {@code /proc}: endless, blocking and secret things
 * that look like regular files. Not thread-safe.
 */
public final class KernelFiles {

  /** Types of file systems without files, as Linux names them. */
  private static final Set<String> TYPES =
      Set.of(
          "proc",
          "sysfs",
          "cgroup",
          "cgroup2",
          "debugfs",
          "tracefs",
          "securityfs",
          "selinuxfs",
          "configfs",
          "bpf",
          "pstore",
          "efivarfs",
          "binfmt_misc",
          "fusectl",
          "mqueue",
          "nsfs",
          "rpc_pipefs",
          "devpts",
          "devtmpfs",
          "devfs");

  private final Map<Object, Boolean> devices = new HashMap<>();

  /** Whether a path is on a file system without files. */
  public boolean contains(Path path) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return false;
    }
    Object device = Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS);
    Boolean known = devices.get(device);
    if (known == null) {
      known = TYPES.contains(Files.getFileStore(path).type());
      devices.put(device, known);
    }
    return known;
  }
}
