import Foundation
import ListSnapshots
import Testing
import TestSupport

@testable import ListKit

@MainActor
@Suite struct TableUpdateTests {
  private func path(_ row: Int, _ section: Int = 0) -> IndexPath {
    IndexPath(row: row, section: section)
  }

  @Test func onlyShownRowsAreAskedForCells() {
    let source = ArraySource([(0..<100_000).map { "Row \($0)" }])
    let (table, _, _) = makeTable(source, shown: 40)
    #expect(source.cellsAskedFor == (0..<40).map { path($0) })
    _ = table.showRows(from: 20, count: 40)
    #expect(source.cellsAskedFor.count == 60)
    #expect(table.titles.first == "Row 20")
  }

  @Test func insertingAtTheTopOfALongListReadsOneRow() {
    let source = ArraySource([(0..<100_000).map { "Row \($0)" }])
    let (table, window, renderer) = makeTable(source, shown: 40)
    source.cellsAskedFor = []
    source.sections[0].insert("New", at: 0)
    table.insertRows(at: [path(0)], with: .automatic)
    #expect(source.cellsAskedFor == [path(0)])
    #expect(renderer.changes.last?.inserted.count == 1)
    #expect(renderer.changes.last?.removed.count == 1)
    #expect(table.titles.prefix(2) == ["New", "Row 0"])
    _ = window
  }

  @Test func insertingAboveTheWindowReadsNothingAndKeepsIt() {
    let source = ArraySource([(0..<1000).map { "Row \($0)" }])
    let (table, window, renderer) = makeTable(source, shown: 40)
    renderer.replay(table.showRows(from: 500, count: 40))
    table.anchorPlace = 510
    source.cellsAskedFor = []
    source.sections[0].insert("New", at: 0)
    table.insertRows(at: [path(0)], with: .automatic)
    #expect(source.cellsAskedFor.isEmpty)
    #expect(table.firstPlace == 501)
    #expect(table.titles.first == "Row 500")
    _ = window
  }

  @Test func deletingInTheWindowReadsTheRowThatComesIn() {
    let source = ArraySource([(0..<1000).map { "Row \($0)" }])
    let (table, window, renderer) = makeTable(source, shown: 40)
    renderer.replay(table.showRows(from: 500, count: 40))
    table.anchorPlace = 510
    source.cellsAskedFor = []
    source.sections[0].remove(at: 520)
    table.deleteRows(at: [path(520)], with: .automatic)
    #expect(source.cellsAskedFor == [path(539)])
    #expect(table.titles.last == "Row 540")
    _ = window
  }

  @Test func nestedBatchesCountAsOne() {
    let source = ArraySource([["a", "b"]])
    let (table, window, _) = makeTable(source)
    table.beginUpdates()
    source.sections[0].append("c")
    table.insertRows(at: [path(1)], with: .automatic)
    table.performBatchUpdates {
      source.sections[0].remove(at: 0)
      table.deleteRows(at: [path(0)], with: .automatic)
    }
    table.endUpdates()
    #expect(table.titles == ["b", "c"])
    _ = window
  }

  @Test func aMoveKeepsTheCellAndAReloadMakesANewContent() {
    let source = ArraySource([["a", "b", "c"]])
    let (table, window, renderer) = makeTable(source)
    let cell = table.cellForRow(at: path(0))
    source.sections[0] = ["b", "c", "a"]
    table.moveRow(at: path(0), to: path(2))
    #expect(table.cellForRow(at: path(2)) === cell)
    source.sections[0][0] = "B"
    table.reloadRows(at: [path(0)], with: .none)
    #expect(table.titles == ["B", "c", "a"])
    #expect(renderer.changes.last?.reloaded.count == 1)
    _ = window
  }

  @Test func aBatchThatDoesNotAddUpIsReportedAndTheTableReloads() {
    let source = ArraySource([["a", "b"]])
    let (table, window, _) = makeTable(source)
    var reported: [String] = []
    UITableView.inconsistencyHandler = { reported.append($0.description) }
    defer { UITableView.inconsistencyHandler = nil }
    source.sections[0] = ["a"]
    table.insertRows(at: [path(0)], with: .automatic)
    #expect(reported.count == 1)
    #expect(
      reported.first?.hasPrefix("Invalid update: invalid number of rows in section 0.") == true)
    #expect(table.titles == ["a"])
    _ = window
  }

  @Test func withoutAHandlerItStopsTheProcessWithTheText() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await MainActor.run {
        let source = ArraySource([["a", "b"]])
        let (table, _, _) = makeTable(source)
        table.deleteRows(at: [IndexPath(row: 0, section: 0)], with: .automatic)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("must be equal to the number of rows contained in that section before"))
  }

  @Test func aUsersMoveMovesTheRowFirstAndThenTellsTheSource() {
    let source = ArraySource([["a", "b", "c"]])
    let (table, window, renderer) = makeTable(source)
    table.moveByUser(from: path(0), toProposed: path(2))
    #expect(source.sections == [["b", "c", "a"]])
    #expect(table.titles == ["b", "c", "a"])
    #expect(renderer.ids == table.rows.map(\.id))
    _ = window
  }

  /// Random batches on random sections, against arrays; the renderer's replay must show the same
  /// rows.
  @Test func randomBatchesKeepTheRendererInStep() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix64(seed: seed)
    for round in 0..<300 {
      let plan = RandomBatch(&random)
      let source = ArraySource(plan.before)
      let (table, window, renderer) = makeTable(
        source, shown: Int.random(in: 1...30, using: &random))
      let first = Int.random(in: 0...20, using: &random)
      renderer.replay(table.showRows(from: first, count: table.wantedRows))
      table.anchorPlace = table.firstPlace + Int.random(in: 0...3, using: &random)
      source.sections = plan.after
      table.performBatchUpdates { plan.apply(to: table) }
      let all = plan.after.flatMap(\.self)
      let shown = Array(all.dropFirst(table.firstPlace).prefix(table.rows.count))
      #expect(table.titles == shown, "seed \(seed), round \(round)")
      #expect(renderer.ids == table.rows.map(\.id), "seed \(seed), round \(round)")
      _ = window
    }
  }
}
