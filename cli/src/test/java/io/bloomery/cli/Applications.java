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
