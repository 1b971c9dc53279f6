import CoreData
import Foundation
import ListKit
import Testing

/// A diffable data source that is fed by the snapshots of a fetched results controller.
@MainActor
@Suite struct DiffableFetchedResultsTests {
  @MainActor
  private final class Follower: NSObject, @preconcurrency NSFetchedResultsControllerDelegate {
    let source: UITableViewDiffableDataSource<String, NSManagedObjectID>
    var snapshots = 0

    init(_ source: UITableViewDiffableDataSource<String, NSManagedObjectID>) {
      self.source = source
    }

    func controller(
      _ controller: NSFetchedResultsController<NSFetchRequestResult>,
      didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
      snapshots += 1
      source.apply(NSDiffableDataSourceSnapshot<String, NSManagedObjectID>(snapshot))
    }
  }

  @Test(arguments: 1...6)
  func theTableShowsWhatTheControllerHas(seed: UInt64) throws {
    let shelf = try RandomShelf(seed: seed)
    let controller = shelf.controller
    let table = UITableView(frame: .zero, style: .plain)
    table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    let source = UITableViewDiffableDataSource<String, NSManagedObjectID>(tableView: table) {
      table, path, id in
      let cell = table.dequeueReusableCell(withIdentifier: "cell", for: path)
      let book = controller.managedObjectContext.object(with: id)
      cell.textLabel?.text = book.value(forKey: "title") as? String
      return cell
    }
    let follower = Follower(source)
    controller.delegate = follower
    try controller.performFetch()
    _ = table.showRows(from: 0, count: 500)
    for step in 0..<60 {
      shelf.changeSome()
      let shown = table.visibleCells.map { $0.textLabel?.text ?? "" }
      #expect(shown == shelf.sections.flatMap(\.self), "seed \(seed), step \(step)")
      #expect(table.numberOfSections == shelf.sections.count)
    }
    #expect(follower.snapshots > 50)
  }
}
