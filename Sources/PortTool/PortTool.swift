import Foundation
import ProjectPorter

/// What the command plugin `port` runs.
///
///     PortTool PATH [--check | --build] [--output FOLDER] [--opencoredata PATH-or-URL] [--with-package NAME-or-FOLDER]… [--condition NAME]… [--without TARGET]…
@main
enum PortTool {
  static func main() {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.isBuild { try build(arguments) }
      let porting = try Porting(arguments.path, arguments.options)
      print(porting.report)
      exit(try arguments.isCheck ? check(porting) : write(porting, arguments.isBuild))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(2)
    }
  }

  /// Builds until all that is left of the package builds; reports of it are those of a package that is written again.
  private static func build(_ arguments: Arguments) throws {
    var building = try Building(arguments.path, arguments.options) { line in
      print(line)
      fflush(nil)
    }
    try building.run()
    print("The package builds.")
  }

  private static func write(_ porting: Porting, _ isBuilt: Bool) throws -> Int32 {
    let changed = try porting.write()
    if isBuilt { return 0 }
    print(
      changed.isEmpty
        ? "\(porting.output.path) is as it was."
        : "Wrote \(porting.output.path): \(changed.count) files. --build builds it, and leaves out what the compiler refuses."
    )
    return 0
  }

  /// 1 where something that works on Core Data is left out or cannot be rewritten, or the package is not what would be
  /// written now.
  private static func check(_ porting: Porting) throws -> Int32 {
    let outdated = try porting.outdated()
    for path in outdated {
      print("\(porting.output.path)/\(path): is not what the project gives now; port it again")
    }
    let remarks = try Remarks(porting)
    for message in remarks.messages { print(message) }
    return outdated.isEmpty && !porting.report.leavesCoreDataOut && !remarks.hasErrors ? 0 : 1
  }
}
