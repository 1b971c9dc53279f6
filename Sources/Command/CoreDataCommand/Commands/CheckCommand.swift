import ArgumentParser
import Foundation
import StoreTool

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Holds a store against every rule of the file format.",
    discussion:
      "The status is 1 when something is found. With --repair what can be cured is cured in a copy. Of a store that is "
      + "not in a file of SQLite, objects are held against the model."
  )

  @OptionGroup var store: StoreArguments
  @OptionGroup var report: ReportOptions

  @Option(
    help: ArgumentHelp(
      "Repair a copy, made at this path; the store itself stays as it is.", valueName: "path"),
    completion: .file())
  var repair: String?

  func run() throws {
    let opened = try store.open()
    Warnings.print(opened.warnings)
    let findings = try StoreCheck.findings(in: opened)
    if let repair {
      guard opened.format == .sqlite else {
        throw ToolError(
          .usage,
          description:
            "Only a copy of a SQLite store can be repaired; what is found in others is cured by “coredata set” and "
            + "“coredata delete”.")
      }
      let outcome = try Repair.run(findings, of: store.request, to: URL(fileURLWithPath: repair))
      try report.print(outcome, text: outcome.text())
      if !outcome.left.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
      return
    }
    let found = CheckReport(opened, findings: findings)
    try report.print(found, text: found.text())
    if !findings.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
  }
}
