import Foundation
import ProjectPorter

/// The command line tool behind the command plugin `port`.
///
///     PortTool PATH [--check | --build] [--output FOLDER] [--opencoredata PATH-or-URL]
///       [--with-package NAME-or-FOLDER]… [--with-module NAME=FOLDER]… [--condition NAME]…
///       [--without TARGET]… [--report FILE]
///
/// Exit status: 0 for success, 1 if `--check` finds problems or if no test, or nothing of Core
/// Data, is left; 2 for errors.
@main
enum PortTool {
  static func main() {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.isBuild { try build(arguments) }
      let porting = try Porting(arguments.path, arguments.options)
      let report = porting.report
      print(try text(of: report, porting, arguments: arguments))
      let status =
        try arguments.isCheck ? check(porting) : write(porting, isBuilt: arguments.isBuild)
      if let emptiness = report.emptiness {
        print(emptiness)
        exit(1)
      }
      exit(status)
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(2)
    }
  }

  /// The report in some forty lines. Where there is more, all of it goes into a file, but for a
  /// check that names none.
  private static func text(
    of report: PortReport, _ porting: Porting, arguments: Arguments
  ) throws -> String {
    let file =
      arguments.report
      ?? (arguments.isCheck ? nil : porting.output.appendingPathComponent("port-report.txt"))
    if !report.isLong, arguments.report == nil, let file { try remove(file) }
    guard let file, report.isLong || arguments.report != nil else {
      return report.summary(whole: "--report FILE writes them into a file")
    }
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("\(report)\n".utf8).write(to: file)
    } catch {
      throw PortError("\(file.path): cannot be written: \(error.localizedDescription)")
    }
    return report.summary(whole: file.path)
  }

  /// Removes the long report of an earlier port.
  private static func remove(_ file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    try FileManager.default.removeItem(at: file)
  }

  /// Builds the package, leaving out refused sources, until it succeeds. The caller then reports on
  /// the port as it was last written.
  private static func build(_ arguments: Arguments) throws {
    var building = try Building(arguments.path, arguments.options) { line in
      print(line)
      fflush(nil)
    }
    try building.run()
    print("The package builds.")
  }

  private static func write(_ porting: Porting, isBuilt: Bool) throws -> Int32 {
    let changed = try porting.write()
    if isBuilt { return 0 }
    print(
      changed.isEmpty
        ? "\(porting.output.path) is as it was."
        : "Wrote \(porting.output.path): \(changed.count) files. --build builds it, and leaves out what the compiler refuses."
    )
    return 0
  }

  /// The exit status of `--check`: 1 if a source that imports Core Data is left out or a built one
  /// cannot be rewritten, or if the existing package is outdated.
  private static func check(_ porting: Porting) throws -> Int32 {
    let outdated = try porting.outdated()
    for path in outdated {
      print("\(porting.output.path)/\(path): is not what the project gives now; port it again")
    }
    let remarks = try Remarks(porting)
    for message in remarks.messages { print(message) }
    print(porting.limitsOfKnowledge)
    return outdated.isEmpty && !porting.report.leavesCoreDataOut && !remarks.hasErrors ? 0 : 1
  }
}
