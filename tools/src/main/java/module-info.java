/** Code shared by the command line and the applications; for these modules only. */
@SuppressWarnings("module") // modules that depend on this one
module io.bloomery.tools {
  requires com.dynatrace.hash4j;
  requires com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires io.bloomery;
  requires me.tongfei.progressbar;
  requires org.tukaani.xz;
  requires static org.jspecify; // annotations, for compilers and editors

  exports io.bloomery.tools.console to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.distinct to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.file to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.input to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.measure to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.name to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.problem to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.report to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.spill to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.text to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
  exports io.bloomery.tools.unpack to
      io.bloomery.cli,
      io.bloomery.find,
      io.bloomery.net,
      io.bloomery.security;
}
