import ArgumentParser
import Foundation
import StoreTool

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Makes an empty store of a model.",
    discussion: """
      coredata new Books.xcdatamodeld Books.sqlite
      coredata new Books.xcdatamodeld Books.xml --version 'Books 2'
      """)

  @Argument(help: "The model, or a store that keeps one.", completion: .file())
  var model: String

  @Argument(
    help: "The store to make: a file of SQLite, .xml or .binary, or the address of a server.",
    completion: .file())
  var store: String

  @Option(help: ArgumentHelp("The version; by default the current one.", valueName: "name"))
  var version: String?

  func run() throws {
    try NewStore.make(at: URL(store: store), model: URL(store: model), version: version)
  }
}

struct VacuumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vacuum", abstract: "Gives the free space in a store's file back, after a backup.")

  @OptionGroup var store: StoreArguments

  @Flag(inversion: .prefixedNo, help: "Copy the store to STORE.backups first.")
  var backup = true

  @OptionGroup var report: ReportOptions

  func run() throws {
    let opened = try store.open()
    try Vacuum.check(opened.format)
    let backup = backup ? try UndoJournal.makeBackup(of: opened) : nil
    opened.close()
    let result = try Vacuum(store.request)
    try report.print(result, text: result.text + (backup.map { "\nBackup: \($0.path)" } ?? ""))
  }
}

struct AnonymizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract:
      "Copies a store with its texts and data replaced, and its shape kept: for reports of bugs.")

  @OptionGroup var store: StoreArguments

  @Argument(help: "The copy to make.", completion: .file())
  var copy: String

  @OptionGroup var report: ReportOptions

  func run() throws {
    let count = try Anonymizing.run(store.request, to: URL(fileURLWithPath: copy))
    try report.print(
      AnonymizeReport(output: copy, values: count), text: "Replaced \(count) values in \(copy).")
  }
}

private struct AnonymizeReport: Encodable {
  let output: String
  let values: Int
}
