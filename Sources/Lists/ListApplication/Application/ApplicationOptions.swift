import ArgumentParser

/// The command line options of every application.
package struct ApplicationOptions: ParsableArguments {
  @OptionGroup package var windows: WindowOptions

  @Option(
    help: ArgumentHelp(
      "The SQLite file, by default in the user's data directory; or a schema on a server: "
        + "postgresql://user@host/database.", valueName: "PLACE"))
  var store: String?

  @Option(help: ArgumentHelp("Fill an empty store with N made-up rows.", valueName: "N"))
  var seed = 0

  package init() {}

  package func validate() throws {
    guard seed >= 0 else { throw ValidationError("--seed takes a number of rows, not \(seed).") }
  }
}
