import ArgumentParser
import StoreTool

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Shows what a store has: its model, entities with their counts, indexes, history, warnings.")

  @OptionGroup var store: StoreArguments
  @OptionGroup var report: ReportOptions

  @Flag(help: "Also measure the size of each table, for which the whole file is read.")
  var sizes = false

  func run() throws {
    let found = try StoreReport(store.open(), measures: sizes)
    try report.print(found, text: found.text())
  }
}
