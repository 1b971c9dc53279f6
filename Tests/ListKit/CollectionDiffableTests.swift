import Foundation
import ListSnapshots
import Testing
import TestSupport

@testable import ListKit

/// A collection that is fed by snapshots shows what the last one says, whatever led there.
@MainActor
@Suite struct CollectionDiffableTests {
  typealias Snapshot = NSDiffableDataSourceSnapshot<String, Int>

  @MainActor private final class Shown {
    let view = UICollectionView(
      frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
    let window = UIWindow(frame: .zero)
    let renderer = RecordingRenderer()
    let source: UICollectionViewDiffableDataSource<String, Int>

    init() {
      let cells = UICollectionView.CellRegistration<UICollectionViewListCell, Int> {
        cell, _, item in
        var content = cell.defaultContentConfiguration()
        content.text = "\(item)"
        cell.contentConfiguration = content
      }
      source = UICollectionViewDiffableDataSource(collectionView: view) { view, path, item in
        view.dequeueConfiguredReusableCell(using: cells, for: path, item: item)
      }
      window.renderer = renderer
      window.addSubview(view)
      renderer.replay(view.showRows(from: 0, count: 200))
    }

    var items: [Int] { view.rows.compactMap { Int($0.cell.rowContent.title) } }
  }

  @Test(arguments: 1...4)
  func anyTwoSnapshotsLeadFromOneToTheOther(seed: UInt64) {
    print("CollectionDiffableTests: seed \(seed)")
    var random = SplitMix64(seed: seed)
    let shown = Shown()
    for step in 0..<100 {
      let names = ["a", "b", "c", "d"].shuffled(using: &random)
        .prefix(Int.random(in: 0...4, using: &random))
      var next = Snapshot()
      next.appendSections(Array(names))
      for item in Array(0..<20).shuffled(using: &random) where !names.isEmpty {
        guard Bool.random(using: &random), let name = names.randomElement(using: &random) else {
          continue
        }
        next.appendItems([item], toSection: name)
      }
      shown.source.apply(next)
      #expect(shown.items == next.itemIdentifiers, "seed \(seed), step \(step)")
      #expect(shown.renderer.ids == shown.view.rows.map(\.id), "seed \(seed), step \(step)")
      #expect(shown.source.snapshot().sectionIdentifiers == next.sectionIdentifiers)
    }
  }

  @Test func whatTheUserMovesMovesInTheSnapshot() {
    let shown = Shown()
    var snapshot = Snapshot()
    snapshot.appendSections(["a", "b"])
    snapshot.appendItems([1, 2, 3], toSection: "a")
    snapshot.appendItems([4], toSection: "b")
    shown.source.apply(snapshot)
    let from = IndexPath(item: 0, section: 0)
    shown.view.moveByUser(from: from, toProposed: IndexPath(item: 1, section: 1))
    #expect(shown.items == [1, 2, 3, 4])
    var told: [[Int]] = []
    shown.source.reorderingHandlers.canReorderItem = { $0 != 2 }
    shown.source.reorderingHandlers.didReorder = { told.append($0.finalSnapshot.itemIdentifiers) }
    shown.view.moveByUser(from: from, toProposed: IndexPath(item: 1, section: 1))
    #expect(shown.items == [2, 3, 4, 1])
    #expect(told == [[2, 3, 4, 1]])
    #expect(shown.source.snapshot().itemIdentifiers(inSection: "b") == [4, 1])
    shown.view.moveByUser(from: from, toProposed: IndexPath(item: 1, section: 0))
    #expect(shown.items == [2, 3, 4, 1])
  }
}
