import ArgumentParser
import ListTerminal

/// Command line options for showing windows.
package struct WindowOptions: ParsableArguments {
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

  @Flag(
    help: """
      Let everybody in who reaches the port, which every user of this machine does; otherwise the \
      printed address has a key in it.
      """)
  var open = false

  @Flag(
    help: """
      Make a new key: nobody gets in with the one before, nor a browser that was let in with it.
      """)
  var newKey = false

  @Option(
    help: ArgumentHelp("How many browser windows there may be at once.", valueName: "N"))
  var windows = 256

  @Flag(help: "Do not show which other windows are on the same list.")
  var hideOthers = false

  package init() {}

  package func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("A port is 0 to 65535.") }
    guard windows > 0 else {
      throw ValidationError("--windows takes a number of windows, not \(windows).")
    }
  }
}

/// `--terminal` without a value selects the mode automatically.
extension TerminalMode: ExpressibleByArgument {}
