import Foundation
import Testing
import TestSupport

@testable import ListKit

/// A table that is fed by snapshots shows what the last one says, whatever led there.
@MainActor
@Suite struct DiffableDataSourceTests {
  typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  @MainActor private final class Shown {
    let table = UITableView(frame: .zero, style: .plain)
    let window = UIWindow(frame: .zero)
    let renderer = RecordingRenderer()
    var source: UITableViewDiffableDataSource<String, Int>!
    var suffix = ""
    var asked = 0

    init() {
      table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
      source = UITableViewDiffableDataSource(tableView: table) { [unowned self] table, path, item in
        let cell = table.dequeueReusableCell(withIdentifier: "cell", for: path)
        cell.textLabel?.text = "\(item)\(suffix)"
        asked += 1
        return cell
      }
      window.renderer = renderer
      window.addSubview(table)
      renderer.replay(table.showRows(from: 0, count: 200))
    }
  }

  private func snapshot(_ sections: [(String, [Int])]) -> Snapshot {
    var snapshot = Snapshot()
    for (name, items) in sections {
      snapshot.appendSections([name])
      snapshot.appendItems(items, toSection: name)
    }
    return snapshot
  }

  @Test(arguments: 1...8)
  func anyTwoSnapshotsLeadFromOneToTheOther(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let shown = Shown()
    for step in 0..<150 {
      let names = ["a", "b", "c", "d", "e"].shuffled(using: &random)
        .prefix(Int.random(in: 0...5, using: &random))
      var items = Array(0..<Int.random(in: 0...25, using: &random))
      if Bool.random(using: &random) { items.shuffle(using: &random) }
      var next = snapshot(names.map { ($0, []) })
      for item in items where !names.isEmpty {
        let section = names[Int.random(in: 0..<names.count, using: &random)]
        next.appendItems([item], toSection: section)
      }
      let marked = next.itemIdentifiers.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      if Bool.random(using: &random) {
        next.reloadItems(marked)
      } else {
        next.reconfigureItems(marked)
      }
      shown.source.apply(next)
      #expect(
        shown.table.titles == next.itemIdentifiers.map(String.init), "seed \(seed), step \(step)")
      #expect(shown.renderer.ids == shown.table.rows.map(\.id), "seed \(seed), step \(step)")
      #expect(shown.table.numberOfSections == next.numberOfSections)
    }
  }

  @Test func anItemThatStaysKeepsItsRow() {
    let shown = Shown()
    shown.source.apply(snapshot([("a", [1, 2, 3, 4]), ("b", [5])]))
    let row = shown.table.rows[3].id
    shown.source.apply(snapshot([("a", [2, 1]), ("b", [5, 4])]))
    #expect(shown.table.titles == ["2", "1", "5", "4"])
    #expect(shown.table.rows[3].id == row)
    let totals = shown.renderer.changes.last?.totals
    #expect(totals == .init(inserted: 0, deleted: 1, moved: 2))
  }

  @Test func onlyWhatIsMarkedIsAskedForAgain() {
    let shown = Shown()
    shown.source.apply(snapshot([("a", [1, 2, 3])]))
    shown.asked = 0
    shown.suffix = "!"
    var next = shown.source.snapshot()
    next.reconfigureItems([2])
    shown.source.apply(next)
    #expect(shown.table.titles == ["1", "2!", "3"])
    #expect(shown.asked == 1)
    // The mark is not kept.
    shown.source.apply(shown.source.snapshot())
    #expect(shown.asked == 1)
  }

  @Test func placesAndIdentifiersLeadToEachOther() async {
    let shown = Shown()
    await shown.source.apply(snapshot([("a", [1, 2]), ("b", [3])]))
    #expect(shown.source.indexPath(for: 3) == IndexPath(row: 0, section: 1))
    #expect(shown.source.itemIdentifier(for: IndexPath(row: 1, section: 0)) == 2)
    #expect(shown.source.itemIdentifier(for: IndexPath(row: 2, section: 0)) == nil)
    #expect(shown.source.indexPath(for: 9) == nil)
    #expect(shown.source.sectionIdentifier(for: 1) == "b")
    #expect(shown.source.index(for: "b") == 1)
  }

  @Test(arguments: 1...4)
  func theLongestRisingRunIsFound(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let numbers = Array((0..<9).shuffled(using: &random).prefix(7))
      let run = LongestIncreasingRun.members(of: numbers)
      #expect(run == run.sorted() && Set(run).isSubset(of: numbers))
      var longest = 0
      for mask in 0..<(1 << numbers.count) {
        let chosen = numbers.indices.filter { mask & 1 << $0 != 0 }.map { numbers[$0] }
        if chosen == chosen.sorted() { longest = max(longest, chosen.count) }
      }
      #expect(run.count == longest, "\(numbers)")
    }
  }
}
