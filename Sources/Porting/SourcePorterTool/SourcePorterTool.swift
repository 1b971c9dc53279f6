import Foundation

/// The command line tool that the build plugin `PortedSources` runs. With `--check` it prints the
/// remarks without writing copies. Built without the trait, it is the way to the shared one.
///
///     SourcePorterTool --output FOLDER --notes FILE [--configuration FILE] [--define CONDITION]…
///       [--companion FILE]… SOURCE…
///     SourcePorterTool --check SOURCE…
@main
enum SourcePorterTool {
  static func main() {
    #if PortedSources
      do {
        let result = try Arguments(CommandLine.arguments.dropFirst()).run()
        for message in result.messages { write(message) }
        if result.hasErrors { exit(1) }
      } catch {
        write("\(error)")
        exit(1)
      }
    #else
      do {
        try SharedPorter().run(Array(CommandLine.arguments.dropFirst()))
      } catch {
        write("\(error)")
        exit(1)
      }
    #endif
  }

  private static func write(_ message: String) {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
  }
}
