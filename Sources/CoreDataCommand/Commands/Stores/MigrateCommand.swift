import ArgumentParser
import CoreData
import StoreTool

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Brings a store to another version of its model, after a backup.")

  @Argument(help: "The file of the store.", completion: .file())
  var store: String

  @Option(help: ArgumentHelp("The model to migrate to.", valueName: "path"), completion: .file())
  var to: String

  @Option(help: ArgumentHelp("Its version; the current one by default.", valueName: "name"))
  var version: String?

  @Flag(help: "Show what would happen, and change nothing.")
  var dryRun = false

  @Flag(help: "With --dry-run: also carry it out on a copy, which finds what only the data show.")
  var rehearse = false

  @Flag(inversion: .prefixedNo, help: "Copy the store to STORE.backups first.")
  var backup = true

  @OptionGroup var report: ReportOptions

  func run() throws {
    let migration = try StoreMigrating(
      store: URL(fileURLWithPath: store), model: URL(fileURLWithPath: to), version: version)
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
