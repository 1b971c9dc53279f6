import Foundation

/// Prints each figure as soon as it is there, and writes the page of results when one is asked for.
final class Report {
  private let machine: Machine
  private let options: Options
  private var rows: [Row] = []

  struct Row {
    let name: String
    let unit: String
    let ours: Series.Side
    /// Nil where nobody else does the work.
    let peer: Series.Side?
    var ratio: Double? { peer.map { ours.median / $0.median } }
  }

  init(machine: Machine, options: Options) {
    self.machine = machine
    self.options = options
  }

  func printHeader() {
    print("# \(machine.processor), \(machine.cores) cores, \(machine.system)")
    print("# Swift \(machine.swift), SQLite \(machine.sqlite), medians of \(options.runs) runs")
    print("# load average at the start: \(machine.load)")
    print("# bench\tname\tours\tunit\tpeer\tpeer's\tours/peer's")
  }

  func add(_ series: Series, of plan: Plan, size: Int) {
    for ours in series.sides {
      guard let way = ours.way else { continue }
      let name = plan.name(size: size, way: way)
      let peers = series.sides.filter { $0.way == nil }
      for peer in peers.isEmpty ? [nil] : peers.map(Optional.some) {
        add(Row(name: name, unit: series.unit.rawValue, ours: ours, peer: peer))
      }
    }
    fflush(nil)
  }

  private func add(_ row: Row) {
    rows.append(row)
    print(line(row))
  }

  private func line(_ row: Row) -> String {
    [
      "bench", row.name, number(row.ours.median), row.unit, row.peer?.name ?? "–",
      row.peer.map { number($0.median) } ?? "–", row.ratio.map(ratio) ?? "–",
    ].joined(separator: "\t")
  }

  func finish() throws {
    guard !rows.isEmpty else {
      throw BenchmarkError.noSuchScenario(Plan.all.map(\.name).joined(separator: ", "))
    }
    guard let path = options.resultsPath else { return }
    try (page() + Self.applications(in: path)).write(
      toFile: path, atomically: true, encoding: .utf8)
  }

  /// What `make measure-heroes` has written below the benchmarks.
  private static func applications(in path: String) throws -> String {
    guard FileManager.default.fileExists(atPath: path) else { return "" }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.range(of: applicationsMark).map { "\n" + text[$0.lowerBound...] } ?? ""
  }

  private static let applicationsMark = "<!-- Written by `make measure-heroes`. -->"

  private func page() -> String {
    let table = rows.map { row in
      let cells = [
        row.name, "\(number(row.ours.median)) \(row.unit)", row.peer?.name ?? "–",
        row.peer.map { "\(number($0.median)) \(row.unit)" } ?? "–", row.ratio.map(ratio) ?? "–",
        range(row.ours.range), row.peer.map { range($0.range) } ?? "–",
      ]
      return "| " + cells.joined(separator: " | ") + " |"
    }
    return """
      <!-- Written by `make results`. -->
      # Results

      Machine: \(machine.processor), \(machine.cores) cores; \(machine.system); Swift \(machine.swift), \
      release; SQLite \(machine.sqlite) for every side; caches warm; load average at the start \
      \(machine.load).
      Command: `make results`. Medians of \(options.runs) runs in one process, of \
      \(options.runsOfShort) where all sides together take less than 20 ms; sides taking turns, \
      the first run of each discarded. The ratio is ours divided by the peer's: below 1, ours is faster.
      Memory (MB) is the peak of the resident set less its size when the store had been opened, each run \
      in a process of its own.
      What each side does stands in `Sources/Benchmarks/Scenarios/`, one file for each scenario.

      | scenario | ours | peer | peer's | ratio | our runs | peer's runs |
      |---|---|---|---|---|---|---|
      \(table.joined(separator: "\n"))

      `make growth` draws what one change costs as the list grows:

      ![Ours stays below 100 µs from 1,000 to 4,000,000 rows, the peers grow with the list](growth.png)

      and what each row costs when all are fetched, inserted, or merged from another context:

      ![The cost of a row against the number of rows](growth-rows.png)

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
