import ArgumentParser
import Foundation
import StoreTool

extension ExchangeFormat: ExpressibleByArgument {}

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes all objects by the names of the model: a folder of CSV, JSON lines, or SQL.")

  @OptionGroup var store: StoreArguments

  @Argument(
    help: "The file or, for CSV, the folder to make; - for the standard output.",
    completion: .file())
  var output: String

  @Option(help: "The form; by default that of the name, .csv or .sql, else jsonl.")
  var format: ExchangeFormat?

  @OptionGroup var report: ReportOptions

  func run() throws {
    let opened = try store.open()
    Warnings.print(opened.warnings)
    let format = format ?? ExchangeFormat(ofFileNamed: output)
    let isStream = ["-", "/dev/stdout"].contains(output)
    let count = try Export.run(
      opened, as: format, to: URL(fileURLWithPath: isStream ? "/dev/stdout" : output))
    if isStream { return }
    try report.print(
      ExportReport(output: output, format: format.rawValue, objects: count),
      text: "Exported \(count == 1 ? "1 object" : "\(count) objects") to \(output).")
  }
}

private struct ExportReport: Encodable {
  let output: String
  let format: String
  let objects: Int
}

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Puts exported objects into a store, all in one save: a folder of CSV, or JSON lines."
  )

  @OptionGroup var store: StoreArguments

  @Argument(help: "A folder of CSV, or a file of JSON lines.", completion: .file())
  var input: String

  @Flag(help: "Change objects that have the same unique values, in place of an error.")
  var merge = false

  @OptionGroup var options: EditOptions

  func run() throws {
    let result = try Editing.run(store.request, isDryRun: options.dryRun) {
      try Import.run(
        URL(fileURLWithPath: input), into: $0, merges: merge, isDryRun: $1,
        makesBackup: options.backup)
    }
    try options.report.print(result, text: result.text())
  }
}

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Takes the objects of another store into a store, all in one save.",
    discussion:
      "Objects with the unique values of one that is there change that one; all others are new.")

  @OptionGroup var store: StoreArguments

  @Argument(help: "The other store, which stays as it is.", completion: .file())
  var other: String

  @OptionGroup var options: EditOptions

  func run() throws {
    let source = try StoreRequest(store: URL(store: other)).opened(beside: store.request)
    Warnings.print(source.warnings)
    let result = try Editing.run(store.request, isDryRun: options.dryRun) {
      try Import.merge(source, into: $0, isDryRun: $1, makesBackup: options.backup)
    }
    try options.report.print(result, text: result.text())
  }
}

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract:
      "Says what is different in the objects of two stores. The status is 1 when something is.")

  @OptionGroup var store: StoreArguments

  @Argument(help: "The other store.", completion: .file())
  var other: String

  @OptionGroup var report: ReportOptions

  func run() throws {
    let request = try store.model.request(other)
    let first = try store.request.opened(beside: request)
    let second = try request.opened(beside: store.request)
    Warnings.print(first.warnings + second.warnings.filter { !first.warnings.contains($0) })
    let difference = try StoreDifference(first, second)
    try report.print(difference, text: difference.text())
    if !difference.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
  }
}
