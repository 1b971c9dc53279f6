import ArgumentParser
import Foundation

/// What every application understands on its command line.
package struct ApplicationOptions: ParsableArguments {
  @Flag(help: "Show the application in a browser (the default).")
  var web = false

  @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "N"))
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The SQLite file; by default in the user's data directory.", valueName: "PATH"))
  var store: String?

  @Option(help: ArgumentHelp("Fill an empty store with N made-up rows.", valueName: "N"))
  var seed = 0

  package init() {}

  package func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    guard seed >= 0 else { throw ValidationError("--seed takes a number of rows, not \(seed).") }
  }
}
