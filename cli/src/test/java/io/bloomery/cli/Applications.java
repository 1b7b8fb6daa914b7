package io.bloomery.cli;

import java.util.List;

/**
 * The applications, one entry each: the question a user asks, the source of the method, and where
 * to find it. {@link ApplicationsTest} checks each against the rules of CONTRIBUTING.md.
 */
final class Applications {

  /**
   * An application.
   *
   * @param ids its ids in the catalogue of the literature
   * @param question the question, in the user's words
   * @param source the paper or article
   * @param commands its commands of {@code bloom}, if any
   * @param page the section that documents it: a file below {@code docs} and a title in it
   * @param module the directory of its module
   * @param facade the public class to call
   * @param options the record of its options
   * @param modelTest the test that compares it with an exact model
   * @param dataTest the test on data from outside this project
   */
  record Application(
      String ids,
      String question,
      String source,
      List<String> commands,
      String page,
      String module,
      String facade,
      String options,
      String modelTest,
      String dataTest) {

    String packageName() {
      return facade.substring(0, facade.lastIndexOf('.'));
    }

    String facadeName() {
      return facade.substring(facade.lastIndexOf('.') + 1);
    }
  }

  static final List<Application> ALL =
      List.of(
          new Application(
              "Y09",
              "Which files and lines hold this key?",
              "Tarkoma, Rothenberg and Lagerspetz 2012",
              List.of("index", "find"),
              "cli.md#find",
              "apps/find",
              "io.bloomery.find.FileIndex",
              "IndexOptions",
              "FileIndexTest",
              "FoundWordsTest"),
          new Application(
              "X2",
              "Which documents have this word, without showing it?",
              "Goh 2003",
              List.of("secure-index"),
              "cli.md#secure-index",
              "apps/find",
              "io.bloomery.find.DocumentIndex",
              "DocumentOptions",
              "SecureIndexCommandTest",
              "FoundWordsTest"),
          new Application(
              "U16",
              "What does the other side have that I lack?",
              "Eppstein, Goodrich, Uyeda and Varghese 2011",
              List.of("reconcile"),
              "sync.md#Making two sets equal",
              "apps/transfer",
              "io.bloomery.transfer.Peer",
              "PeerOptions",
              "PeerTest",
              "PeerTest"),
          new Application(
              "N1 N2",
              "What do all of us have together?",
              "Sanders, Schlag and Müller 2013",
              List.of(),
              "sync.md#Distributed filters",
              "apps/transfer",
              "io.bloomery.transfer.group.SocketTransport",
              "GroupOptions",
              "ProcessesTest",
              ""),
          new Application(
              "U27 Y26",
              "Was this request, token or nonce seen before?",
              "Tarkoma, Rothenberg and Lagerspetz 2012",
              List.of(),
              "apps/security.md#Was this request, token or nonce seen before?",
              "apps/security",
              "io.bloomery.security.replay.ReplayGuard",
              "ReplayOptions",
              "ReplayGuardTest",
              "RequestsTest"),
          new Application(
              "Y08",
              "How many different things does each client do per period, whoever and however many they are?",
              "Estan and Varghese 2002",
              List.of(),
              "apps/security.md#How many different things does each client do?",
              "apps/security",
              "io.bloomery.security.limit.UniqueRateLimiter",
              "LimitOptions",
              "UniqueRateLimiterTest",
              "ClientsTest"),
          new Application(
              "Y03 Y11",
              "Is this name, URL, address or file on a deny list?",
              "Broder and Mitzenmacher 2004",
              List.of("deny build", "deny check"),
              "apps/security.md#Is this name, URL, address or file on a deny list?",
              "apps/security",
              "io.bloomery.security.deny.DenyList",
              "DenyOptions",
              "DenyListTest",
              "DenyListTest"),
          new Application(
              "U28",
              "Was this certificate, token or card revoked?",
              "Larisch, Choffnes, Levin, Maggs, Mislove and Wilson 2017",
              List.of("revoked build", "revoked check", "revoked update"),
              "apps/security.md#Was this certificate, token or card revoked?",
              "apps/security",
              "io.bloomery.security.revocation.RevocationList",
              "RevocationOptions",
              "RevocationListTest",
              "MozillaCascadeTest"),
          new Application(
              "U18",
              "Which clients overload the service, without a record of each?",
              "Feng, Kandlur, Saha and Shin 2001",
              List.of(),
              "apps/security.md#Which clients overload the service?",
              "apps/security",
              "io.bloomery.security.fair.FairLimiter",
              "FairOptions",
              "FairLimiterTest",
              ""),
          new Application(
              "U03",
              "Is this password on a list of leaked or weak ones?",
              "Manber and Wu 1994",
              List.of("password build", "password check", "password info"),
              "apps/security.md#Is this password on a list of leaked or weak ones?",
              "apps/security",
              "io.bloomery.security.password.PasswordList",
              "PasswordOptions",
              "PasswordListTest",
              "PasswordListTest"),
          new Application(
              "Y22 Y36",
              "Is this file known, or was it changed?",
              "Roussev, Chen, Bourg and Richard 2006",
              List.of("known build", "known check"),
              "apps/security.md#Is this file known, or was it changed?",
              "apps/security",
              "io.bloomery.security.known.KnownFiles",
              "KnownOptions",
              "KnownFilesTest",
              "DigestListsTest"),
          new Application(
              "Y23",
              "Which release of a library is inside this jar?",
              "Roussev, Chen, Bourg and Richard 2006",
              List.of("known version"),
              "apps/security.md#Which release of a library is inside this jar?",
              "apps/security",
              "io.bloomery.security.version.ReleaseFinder",
              "ReleaseOptions",
              "ReleaseFinderTest",
              "ShadedReleasesTest"),
          new Application(
              "U22 U26",
              "What is in this traffic?",
              "Harris and Richardson 2025",
              List.of(),
              "apps/net.md#What is in this traffic?",
              "apps/net",
              "io.bloomery.net.capture.Capture",
              "CaptureOptions",
              "CaptureTest",
              "CapturesTest"),
          new Application(
              "U22 Y36",
              "Which flows are the largest?",
              "Estan and Varghese 2002",
              List.of("net flows"),
              "apps/net.md#Which flows are the largest?",
              "apps/net",
              "io.bloomery.net.flows.HeavyFlows",
              "FlowOptions",
              "HeavyFlowsTest",
              "CapturedFlowsTest"),
          new Application(
              "U21",
              "Which network, country or list does this address belong to?",
              "Dharmapurikar, Krishnamurthy and Taylor 2003",
              List.of("net match"),
              "apps/net.md#Which network does this address belong to?",
              "apps/net",
              "io.bloomery.net.match.PrefixTable",
              "PrefixOptions",
              "PrefixTableTest",
              "RoutesTest"),
          new Application(
              "U32 Y15",
              "Does this traffic contain anything on a list of indicators?",
              "Attig, Dharmapurikar and Lockwood 2004",
              List.of("net scan"),
              "apps/net.md#Does this traffic contain anything on a list?",
              "apps/net",
              "io.bloomery.net.scan.TrafficScanner",
              "ScanOptions",
              "TrafficScannerTest",
              "CapturedIndicatorsTest"),
          new Application(
              "U25",
              "Which state is each connection in, in a few bytes per connection?",
              "Bonomi, Mitzenmacher, Panigrahy, Singh and Varghese 2006",
              List.of("net state"),
              "apps/net.md#Which state is each connection in?",
              "apps/net",
              "io.bloomery.net.state.ConnectionStates",
              "StateOptions",
              "StateTableTest",
              "ConnectionStatesTest"),
          new Application(
              "Y25",
              "May this packet reach that host, where all is off until the host asks for it?",
              "Ballani, Chawathe, Ratnasamy, Roscoe and Shenker 2005",
              List.of(),
              "apps/net.md#May this packet reach that host?",
              "apps/net",
              "io.bloomery.net.reach.Reachability",
              "ReachOptions",
              "ReachabilityTest",
              "ReachabilityTest"),
          new Application(
              "Y24",
              "Do packets take the route that is advertised?",
              "Wong, Balasubramanian, Alvisi, Gouda and Shmatikov 2007",
              List.of(),
              "apps/net.md#Do packets take the route that is advertised?",
              "apps/net",
              "io.bloomery.net.route.RouteVerifier",
              "RouteOptions",
              "RouteVerifierTest",
              "RouteVerifierTest"),
          new Application(
              "U32 Y15",
              "Which rules does this packet match?",
              "Dharmapurikar, Song, Turner and Lockwood 2006",
              List.of(),
              "apps/net.md#Which rules does this packet match?",
              "apps/net",
              "io.bloomery.net.classify.PacketClassifier",
              "ClassifyOptions",
              "PacketClassifierTest",
              "PacketClassifierTest"),
          new Application(
              "U23 U24",
              "Who sent these bytes, or this packet, and when?",
              "Shanmugasundaram, Brönnimann and Memon 2004",
              List.of("net index", "net find"),
              "apps/net.md#Who sent these bytes, or this packet, and when?",
              "apps/net",
              "io.bloomery.net.index.TrafficIndex",
              "IndexOptions",
              "TrafficIndexTest",
              "AttributionTest"),
          new Application(
              "U23",
              "Which way did this packet come, whatever sender it names?",
              "Snoeren, Partridge, Sanchez, Jones, Tchakountio, Kent and Strayer 2001",
              List.of("net trace"),
              "apps/net.md#Which way did this packet come, whatever sender it names?",
              "apps/net",
              "io.bloomery.net.trace.Traceback",
              "TraceOptions",
              "TracebackTest",
              "TracedCaptureTest"),
          new Application(
              "U26",
              "Which packets or clicks came twice?",
              "Tarkoma, Rothenberg and Lagerspetz 2012",
              List.of("net dups"),
              "apps/net.md#Which packets or clicks came twice?",
              "apps/net",
              "io.bloomery.net.dups.DuplicateFilters",
              "DuplicateOptions",
              "DuplicateFiltersTest",
              "CapturedDuplicatesTest"),
          new Application(
              "L4",
              "Which molecules contain this part?",
              "Swamidass and Baldi 2007",
              List.of(),
              "apps/chemistry.md#Which molecules contain this part?",
              "apps/chemistry",
              "io.bloomery.chemistry.Smiles",
              "",
              "SmilesTest",
              "NciMoleculesTest"));

  private Applications() {}
}
