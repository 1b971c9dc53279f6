import ArgumentParser
import CoreData
import Foundation
import StoreTool

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract:
      "Brings a store to another version of its model, after a backup, or moves its objects into a new store.",
    discussion: """
      coredata migrate Books.sqlite --to Books.xcdatamodeld
      coredata migrate Books.xml --to Books.xcdatamodeld --mapping Books1to2.xcmappingmodel
      coredata migrate Books.sqlite --into postgresql://books@db1.example/library
      coredata migrate postgresql://books@db1.example/library --into Books.sqlite

      A store on a server is backed up into a file of SQLite, in ~/.local/state/coredata; --no-backup leaves that out.
      """)

  @OptionGroup var store: StoreArguments

  @Option(help: ArgumentHelp("The model to migrate to.", valueName: "path"), completion: .file())
  var to: String?

  @Option(
    help: ArgumentHelp(
      "The store to make, with all objects: the address of a server, or a file of SQLite, .xml or .binary.",
      valueName: "store"), completion: .file())
  var into: String?

  @Option(help: ArgumentHelp("Its version; the current one by default.", valueName: "name"))
  var version: String?

  @Option(
    help: ArgumentHelp(
      "A mapping model, .xcmappingmodel or .cdm, to go by before what can be inferred; may be there several times.",
      valueName: "path"), completion: .file())
  var mapping: [String] = []

  @Flag(help: "Drop the objects of entities that the model does not have any more, without asking.")
  var drop = false

  @Flag(help: "Show what would happen, and change nothing.")
  var dryRun = false

  @Flag(help: "With --dry-run: also carry it out on a copy, which finds what only the data show.")
  var rehearse = false

  @Flag(inversion: .prefixedNo, help: "Copy the store to STORE.backups first.")
  var backup = true

  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard (to == nil) != (into == nil) else {
      throw ValidationError("Say --to MODEL for another version, or --into STORE for a new store.")
    }
    guard to == nil || store.model.modelVersion == nil && !store.model.ignoreVersion else {
      throw ValidationError("--model-version and --ignore-version go with --into.")
    }
    guard into == nil || !(dryRun || rehearse || drop || version != nil || !mapping.isEmpty) else {
      throw ValidationError(
        "--into takes neither --dry-run, --rehearse, --drop, --mapping nor --version.")
    }
  }

  func run() throws {
    if let into {
      let moved = try StoreMoving(store.request, into: URL(store: into))
      return try report.print(moved, text: moved.text)
    }
    guard let to else { return }
    let migration = try StoreMigrating(
      store: store.request.store, model: URL(store: to), version: version,
      source: store.request.model, mappings: mapping.map { URL(fileURLWithPath: $0) })
    let plan = try migration.plan(rehearsing: rehearse)
    if dryRun {
      try report.print(plan, text: plan.description)
    } else {
      if plan.isPossible, !drop, let question = StoreMigrating.question(of: plan) {
        try ask(question)
      }
      let backup = try migration.run(plan, makesBackup: backup)
      try report.print(
        plan, text: plan.text(isDone: true) + (backup.map { "\nBackup: \($0.path)" } ?? ""))
    }
    if dryRun, !plan.isPossible { throw ExitCode(ExitStatus.findings.rawValue) }
  }

  /// Asks the user at a terminal. Throws unless the answer is yes.
  private func ask(_ question: String) throws {
    let refusal = ToolError(
      .usage,
      description:
        "\(question) Nothing was changed; say --drop if that is meant, or name another model."
    )
    guard isatty(STDIN_FILENO) == 1, Terminal.standardError.width != nil else { throw refusal }
    FileHandle.standardError.write(Data("\(question) Drop them? [y/N] ".utf8))
    guard ["y", "yes"].contains(readLine()?.lowercased()) else { throw refusal }
  }
}
