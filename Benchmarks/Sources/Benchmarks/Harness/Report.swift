import Foundation

/// Prints each figure as soon as it is there, and writes the page of results when one is asked for.
final class Report {
  private let machine: Machine
  private let options: Options
  private var rows: [Row] = []

  struct Row {
    let name: String
    let unit: String
    let peer: String
    let ours: Double
    let theirs: Double
    let oursRange: ClosedRange<Double>
    let theirsRange: ClosedRange<Double>
    var ratio: Double { ours / theirs }
  }

  init(machine: Machine, options: Options) {
    self.machine = machine
    self.options = options
  }

  func printHeader() {
    print("# \(machine.processor), \(machine.cores) cores, \(machine.system)")
    print("# Swift \(machine.swift), SQLite \(machine.sqlite), medians of \(options.runs) runs")
    print("# bench\tname\tours\tunit\tpeer\tpeer's\tours/peer's")
  }

  func add(_ series: Series, name: String) {
    for (side, peer) in series.medians.enumerated().dropFirst() {
      let row = Row(
        name: name, unit: series.unit.rawValue, peer: peer.name, ours: series.medians[0].figure,
        theirs: peer.figure, oursRange: series.ranges[0], theirsRange: series.ranges[side])
      rows.append(row)
      print(line(row))
    }
    fflush(nil)
  }

  private func line(_ row: Row) -> String {
    [
      "bench", row.name, number(row.ours), row.unit, row.peer, number(row.theirs),
      ratio(row.ratio),
    ].joined(separator: "\t")
  }

  func finish() throws {
    guard !rows.isEmpty else {
      throw BenchmarkError.noSuchScenario(Plan.all.map(\.name).joined(separator: ", "))
    }
    guard let path = options.resultsPath else { return }
    try page().write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func page() -> String {
    let table = rows.map {
      "| \($0.name) | \(number($0.ours)) \($0.unit) | \($0.peer) | \(number($0.theirs)) \($0.unit)"
        + " | \(ratio($0.ratio)) | \(range($0.oursRange)) | \(range($0.theirsRange)) |"
    }
    return """
      <!-- Written by `make results`. -->
      # Results

      Machine: \(machine.processor), \(machine.cores) cores; \(machine.system); Swift \(machine.swift), \
      release; SQLite \(machine.sqlite) for every side; caches warm.
      Command: `make results`. Medians of \(options.runs) runs in one process, sides taking turns, the \
      first run of each discarded. The ratio is ours divided by the peer's: below 1, ours is faster.
      What each side does stands in `Sources/Benchmarks/Scenarios/`, one file for each scenario.

      | scenario | ours | peer | peer's | ratio | our runs | peer's runs |
      |---|---|---|---|---|---|---|
      \(table.joined(separator: "\n"))

      """
  }

  private func number(_ value: Double) -> String {
    String(format: value < 10 ? "%.2f" : value < 1000 ? "%.1f" : "%.0f", value)
  }

  private func ratio(_ value: Double) -> String {
    String(format: value < 0.01 ? "%.5f" : "%.2f", value)
  }

  private func range(_ range: ClosedRange<Double>) -> String {
    "\(number(range.lowerBound)) to \(number(range.upperBound))"
  }
}
