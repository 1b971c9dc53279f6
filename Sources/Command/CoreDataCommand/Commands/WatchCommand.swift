import ArgumentParser
import Foundation
import StoreTool

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints the objects of an entity, and then each change that others save.",
    discussion: """
      coredata watch Books.sqlite Book --where 'price > 10' --sort=-published --columns 'title,author.name'

      Goes on until it is interrupted, which is no error. A line is a row of the list at the start, or with its place an \
      insertion (+), an update (~), a move (→) or a deletion (−).
      """)

  @OptionGroup var store: StoreArguments

  @Argument(help: "The entity.")
  var entity: String

  @Option(help: ArgumentHelp("A predicate in Apple's format language.", valueName: "predicate"))
  var `where`: String?

  @Option(
    help: ArgumentHelp(
      "The order: keys or key paths, separated by commas; -KEY for descending.", valueName: "keys"))
  var sort: String?

  @Option(
    help: ArgumentHelp(
      "The columns: attributes, and key paths such as author.name and chapters.@count.",
      valueName: "columns"))
  var columns: String?

  @Option(help: ArgumentHelp("End after so many changes.", valueName: "n"))
  var limit: Int?

  @Option(name: .customLong("for"), help: ArgumentHelp("End after so long.", valueName: "seconds"))
  var seconds: Double?

  @Flag(help: "Print JSON: an object a line.")
  var json = false

  private static let pause = 0.025

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
    if let seconds, !(seconds >= 0) { throw ValidationError("--for takes a number of seconds.") }
  }

  func run() throws {
    var watch = Watch(entity: entity)
    watch.condition = `where`
    watch.sort = sort
    watch.columns = columns
    let opened = try store.open()
    Warnings.print(opened.warnings)
    let interruption = Interruption()
    let deadline = seconds.map { Date(timeIntervalSinceNow: $0) } ?? .distantFuture
    let bytes = ByteWriter()
    var changes = 0
    var failure: (any Error)?
    try watch.run(
      in: opened,
      wait: {
        // Everything printed so far becomes visible before a pause.
        do { try bytes.flush() } catch {
          failure = error
          return false
        }
        guard Date() < deadline else { return false }
        return !interruption.came(within: Self.pause)
      },
      tell: { report in
        bytes.write((json ? report.json : report.text()) + "\n")
        try bytes.endRow()
        if report.kind != .row { changes += 1 }
        return changes < limit ?? .max
      })
    if let failure { throw failure }
    try bytes.flush()
  }
}
