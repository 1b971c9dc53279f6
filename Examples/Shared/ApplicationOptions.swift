import ArgumentParser
import Foundation
import ListTerminal

/// What every application understands on its command line.
package struct ApplicationOptions: ParsableArguments {
  @Flag(help: "Show the application in a browser (the default).")
  var web = false

  @Option(
    defaultAsFlag: TerminalMode.automatic,
    help: ArgumentHelp(
      "Show the application in this terminal: as a screen, or as plain lines for screen readers and "
        + "pipes. With --web, in both.", valueName: "screen|plain"))
  var terminal: TerminalMode?

  @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "N"))
  var port = 8080

  @Option(
    help: ArgumentHelp(
      "The SQLite file; by default in the user's data directory.", valueName: "PATH"))
  var store: String?

  @Option(help: ArgumentHelp("Fill an empty store with N made-up rows.", valueName: "N"))
  var seed = 0

  @Flag(
    help: """
      Let everybody in who reaches the port, which every user of this machine does; otherwise the \
      printed address has a key in it.
      """)
  var open = false

  package init() {}

  package func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    guard seed >= 0 else { throw ValidationError("--seed takes a number of rows, not \(seed).") }
  }
}

/// On the command line `--terminal` alone lets the terminal decide.
extension TerminalMode: ExpressibleByArgument {}
