import ArgumentParser
import CoreData
import StoreTool

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract:
      "Brings a store to another version of its model, after a backup, or moves its objects into a new store.",
    discussion: """
      coredata migrate Books.sqlite --to Books.xcdatamodeld
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
    guard to == nil || !store.model.isGiven else {
      throw ValidationError("--model, --model-version and --ignore-version go with --into.")
    }
    guard into == nil || !(dryRun || rehearse || version != nil) else {
      throw ValidationError("--into takes neither --dry-run, --rehearse nor --version.")
    }
  }

  func run() throws {
    if let into {
      let moved = try StoreMoving(store.request, into: URL(store: into))
      return try report.print(moved, moved.text)
    }
    guard let to else { return }
    let migration = try StoreMigrating(
      store: store.request.store, model: URL(store: to), version: version)
    let plan = try migration.plan(rehearsing: rehearse)
    if dryRun {
      try report.print(plan, plan.description)
    } else {
      let backup = try migration.run(plan, makesBackup: backup)
      try report.print(plan, plan.description + (backup.map { "\nBackup: \($0.path)" } ?? ""))
    }
    if dryRun, !plan.isPossible { throw ExitCode(ExitStatus.findings.rawValue) }
  }
}
