import ArgumentParser
import Foundation
import StoreTool
import SyncServer

struct InspectZonesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Prints what is in the zones of a sync server's store.")

  @OptionGroup var ledger: LedgerOptions
  @OptionGroup var report: ReportOptions

  private struct Zone: Encodable {
    let name: String
    let records: Int
    let pairs: Int
    let replicas: Int
    let forgotten: Int
    let head: Int64
    let horizon: Int64
    let epoch: String
  }

  func run() throws {
    let zones = try ledger.open().report().map {
      Zone(
        name: $0.name, records: $0.records, pairs: $0.pairs, replicas: $0.replicas,
        forgotten: $0.graves, head: $0.head, horizon: $0.horizon, epoch: "\($0.epoch)")
    }
    try report.print(zones, text: Self.text(zones))
  }

  private static func text(_ zones: [Zone]) -> String {
    if zones.isEmpty { return "There are no zones." }
    let rows = zones.map { zone in
      [TextTable.Cell(zone.name)]
        + [
          zone.records, zone.pairs, zone.replicas, zone.forgotten, Int(zone.head),
          Int(zone.horizon),
        ]
        .map { TextTable.Cell("\($0)", isNumber: true) }
    }
    return TextTable.text(
      ["zone", "records", "pairs", "replicas", "forgotten", "head", "horizon"], rows: rows)
  }
}

struct RestoredCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restored",
    abstract: "Says that the store was restored from a backup: devices then offer what it lacks.")

  @OptionGroup var ledger: LedgerOptions

  func run() throws {
    let ledger = try ledger.open()
    let zones = try ledger.report().count
    do { try ledger.renewEpochs() } catch { throw ToolError(error) }
    try StandardOutput.print(
      "Devices offer what \(zones) \(zones == 1 ? "zone lacks" : "zones lack").")
  }
}

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Forgets what was deleted long ago; devices that were away for longer attach again.")

  @OptionGroup var ledger: LedgerOptions

  @Option(help: ArgumentHelp("The zone; by default all.", valueName: "name"))
  var zone: String?

  @Option(help: ArgumentHelp("How long ago.", valueName: "days"))
  var days = 180

  func validate() throws {
    guard (0...36_500).contains(days) else {
      throw ValidationError("--days takes a number from 0 to 36500.")
    }
  }

  func run() throws {
    let ledger = try ledger.open()
    let zones = try zone.map { [$0] } ?? ledger.report().map(\.name)
    let now = SyncLedger.systemTime()
    let time = now - min(UInt64(days) * 86_400_000, now)
    let before = try ledger.forgotten(in: zones)
    do {
      for zone in zones { try ledger.compact(zone, before: time) }
      let count = try ledger.forgotten(in: zones) - before
      try StandardOutput.print("\(count) \(count == 1 ? "deletion" : "deletions") forgotten.")
    } catch let error as SyncLedgerError {
      throw ToolError(.noInput, description: "\(error)")
    } catch {
      throw ToolError(error)
    }
  }
}

struct RevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Takes somebody's keys out of the file of keys.")

  @Argument(help: "Whose keys.")
  var name: String

  @Option(help: ArgumentHelp("The file of keys.", valueName: "file"), completion: .file())
  var keys: String

  func run() throws {
    let file = URL(fileURLWithPath: keys)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ToolError(.noInput, description: "There is no file at \(file.path).")
    }
    let count = try KeyFile.revoke(name, in: file)
    guard count > 0 else {
      throw ToolError(.badData, description: "\(file.path) has no key of “\(name)”.")
    }
    try StandardOutput.print("\(count) \(count == 1 ? "key" : "keys") taken out.")
  }
}

extension SyncLedger {
  /// How many records of zones are forgotten.
  fileprivate func forgotten(in zones: [String]) throws -> Int {
    try report().filter { zones.contains($0.name) }.reduce(0) { $0 + $1.graves }
  }
}
