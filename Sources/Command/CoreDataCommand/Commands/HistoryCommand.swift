import ArgumentParser
import Foundation
import StoreTool

struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Prints who changed what, of a store that tracks its history."
  )

  @OptionGroup var store: StoreArguments

  @Option(
    help: ArgumentHelp(
      "Only what came after a date, such as 2026-11-23T01:30:00Z.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Only the last transactions.", valueName: "n"))
  var last: Int?

  @Flag(help: "Go on with what is written from now on, until interrupted.")
  var follow = false

  @Flag(help: "Print JSON: an object a line.")
  var json = false

  func run() throws {
    let date = try since.map { text in
      guard let date = ISODate.date(text) else {
        throw ValidationError("--since takes a date such as 2026-11-23.")
      }
      return date
    }
    let opened = try store.open()
    var transactions = try HistoryReport(opened, since: date).transactions
    let newest =
      try transactions.last?.number ?? HistoryReport(opened).transactions.last?.number ?? 0
    if let last { transactions = transactions.suffix(last) }
    try transactions.forEach(write)
    if follow { try follow(opened, after: newest) }
  }

  private func write(_ transaction: HistoryReport.Transaction) throws {
    try StandardOutput.print(json ? try JSONReport.line(transaction) : transaction.text())
  }

  private func follow(_ opened: OpenedStore, after number: Int64) throws {
    var number = number
    while true {
      fflush(nil)
      Thread.sleep(forTimeInterval: 0.25)
      for transaction in try HistoryReport(opened, after: number).transactions {
        try write(transaction)
        number = transaction.number
      }
    }
  }
}
