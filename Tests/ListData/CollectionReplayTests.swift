import CoreData
import Foundation
import ListData
import Testing

@testable import ListKit

/// Random batches of changes go from a fetched results controller through a collection view, which
/// is as strict as a table.
@MainActor
@Suite(.serialized) struct CollectionReplayTests {
  @Test(arguments: [11, 12, 13, 14] as [UInt64], [false, true])
  func theCollectionTakesEveryBatchAndShowsTheList(seed: UInt64, pauses: Bool) throws {
    print("CollectionReplayTests: seed \(seed), pauses \(pauses), 120 batches")
    var faults: [String] = []
    UICollectionView.inconsistencyHandler = { faults.append($0.description) }
    defer { UICollectionView.inconsistencyHandler = nil }
    let shelf = try RandomShelf(seed: seed)
    let view = UICollectionView(
      frame: .zero, collectionViewLayout: UICollectionViewFlowLayout())
    let window = UIWindow(frame: .zero)
    window.addSubview(view)
    let cells = UICollectionView.CellRegistration<UICollectionViewListCell, NSManagedObject> {
      cell, _, object in
      var content = cell.defaultContentConfiguration()
      content.text = object.value(forKey: "title") as? String
      cell.contentConfiguration = content
    }
    let source = FetchedResultsControllerDataSource<NSManagedObject>(collectionView: view) {
      view, path, object in
      view.dequeueConfiguredReusableCell(using: cells, for: path, item: object)
    }
    source.fetchedResultsController = shelf.controller
    _ = view.showRows(from: 0, count: 1_000)
    for batch in 0..<120 {
      if pauses { source.isPaused = batch % 3 != 0 }
      shelf.changeSome()
      if pauses { source.isPaused = false }
      #expect(sections(of: view) == shelf.sections, "seed \(seed), batch \(batch)")
      #expect(faults == [], "seed \(seed), batch \(batch)")
      if sections(of: view) != shelf.sections || !faults.isEmpty { break }
    }
  }

  private func sections(of view: UICollectionView) -> [[String]] {
    (0..<view.numberOfSections).map { section in
      (0..<view.numberOfItems(inSection: section)).map { item in
        view.cell(at: IndexPath(item: item, section: section))?.rowContent.title ?? "no cell"
      }
    }
  }
}
