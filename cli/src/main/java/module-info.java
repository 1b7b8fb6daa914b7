/** The {@code bloom} command. */
module io.bloomery.cli {
  requires com.github.luben.zstd_jni;
  requires info.picocli;
  requires io.bloomery;
  requires java.desktop;
  requires me.tongfei.progressbar;

  opens io.bloomery.cli to
      info.picocli;
}
