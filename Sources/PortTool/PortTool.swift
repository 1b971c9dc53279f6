import Foundation
import ProjectPorter

/// What the command plugin `port` runs.
///
///     PortTool PATH [--check] [--output FOLDER] [--opencoredata PATH-or-URL] [--with-package NAME-or-FOLDER]… [--condition NAME]… [--without TARGET]…
@main
enum PortTool {
  static func main() {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      let porting = try Porting(arguments.path, arguments.options)
      print(porting.report)
      exit(try arguments.isCheck ? check(porting) : write(porting))
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func write(_ porting: Porting) throws -> Int32 {
    let changed = try porting.write()
    print(
      changed.isEmpty
        ? "\(porting.output.path) is as it was."
        : "Wrote \(porting.output.path): \(changed.count) files")
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
