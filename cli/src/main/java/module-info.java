/** The {@code bloom} command. */
module io.bloomery.cli {
  requires info.picocli;
  requires io.bloomery;
  requires io.bloomery.chart;
  requires io.bloomery.tools;
  requires java.management;
  requires static io.bloomery.find; // if it is absent, its commands are not listed
  requires static io.bloomery.net;
  requires static io.bloomery.security;
  requires static io.bloomery.transfer;
  requires static org.jspecify; // annotations, for compilers and editors

  opens io.bloomery.cli to
      info.picocli;
  opens io.bloomery.cli.add to
      info.picocli;
  opens io.bloomery.cli.bench to
      info.picocli;
  opens io.bloomery.cli.build to
      info.picocli;
  opens io.bloomery.cli.check to
      info.picocli;
  opens io.bloomery.cli.combine to
      info.picocli;
  opens io.bloomery.cli.console to
      info.picocli;
  opens io.bloomery.cli.count to
      info.picocli;
  opens io.bloomery.cli.dedup to
      info.picocli;
  opens io.bloomery.cli.distinct to
      info.picocli;
  opens io.bloomery.cli.file to
      info.picocli;
  opens io.bloomery.cli.index to
      info.picocli;
  opens io.bloomery.cli.join to
      info.picocli;
  opens io.bloomery.cli.net to
      info.picocli;
  opens io.bloomery.cli.option to
      info.picocli;
  opens io.bloomery.cli.partition to
      info.picocli;
  opens io.bloomery.cli.plan to
      info.picocli;
  opens io.bloomery.cli.plot to
      info.picocli;
  opens io.bloomery.cli.reconcile to
      info.picocli;
  opens io.bloomery.cli.remove to
      info.picocli;
  opens io.bloomery.cli.security to
      info.picocli;
  opens io.bloomery.cli.which to
      info.picocli;
}
