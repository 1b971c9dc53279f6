import CoreData
import Foundation
import ListData
import Testing

@testable import ListKit

/// Random batches of changes go through a table view, which is strict: counts must add up, and a row
/// must not move out of a section that goes or into one that comes.
@MainActor
@Suite(.serialized) struct TableReplayTests {
  /// 1,000 batches in all, or as many as the environment says: `make test-replays` says 100,000.
  private static let count =
    (ProcessInfo.processInfo.environment["GENERATED_BATCHES"].flatMap { Int($0) } ?? 1_000) / 8

  enum Way: CaseIterable {
    /// The data source of ListData.
    case dataSource
    /// A delegate that passes each call on, of a controller that splits section moves.
    case callByCall
  }

  @Test(arguments: Way.allCases, [1, 2, 3, 4] as [UInt64])
  func theTableTakesEveryBatchAndShowsTheList(way: Way, seed: UInt64) throws {
    print("TableReplayTests: \(way), seed \(seed), \(Self.count) batches")
    var faults: [String] = []
    UITableView.inconsistencyHandler = { faults.append($0.description) }
    defer { UITableView.inconsistencyHandler = nil }
    let shelf = try RandomShelf(seed: seed)
    let table = ShownTable()
    let source = try table.follow(shelf, way)
    for batch in 0..<Self.count {
      shelf.changeSome()
      #expect(table.sections == shelf.sections, "\(way), seed \(seed), batch \(batch)")
      #expect(faults == [], "\(way), seed \(seed), batch \(batch)")
      if table.sections != shelf.sections || !faults.isEmpty { break }
    }
    withExtendedLifetime(source) {}
  }
}

/// A table in a window, with a cell for every row.
@MainActor
private final class ShownTable {
  let table = UITableView(frame: .zero, style: .plain)
  private let window = UIWindow(frame: .zero)

  init() {
    table.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
    window.addSubview(table)
  }

  /// What keeps the table up to date; to be kept alive.
  func follow(_ shelf: RandomShelf, _ way: TableReplayTests.Way) throws -> AnyObject {
    let source: AnyObject
    switch way {
    case .dataSource:
      let own = FetchedResultsControllerDataSource<NSManagedObject>(
        tableView: table, reuseIdentifier: "cell")
      let cells = Cells()
      own.delegate = cells
      own.fetchedResultsController = shelf.controller
      source = [own, cells] as NSArray
    case .callByCall:
      let own = CallByCall(table, shelf.controller)
      shelf.controller.splitsSectionMoves = true
      shelf.controller.delegate = own
      table.dataSource = own
      try shelf.controller.performFetch()
      source = own
    }
    table.reloadData()
    _ = table.showRows(from: 0, count: 1_000)
    return source
  }

  /// The titles in the cells, section by section.
  var sections: [[String]] {
    (0..<table.numberOfSections).map { section in
      (0..<table.numberOfRows(inSection: section)).map { row in
        table.cellForRow(at: IndexPath(row: row, section: section))?.textLabel?.text ?? "no cell"
      }
    }
  }
}

@MainActor
private final class Cells: FetchedResultsControllerDataSourceDelegate {
  func configure(_ cell: UITableViewCell, with object: NSManagedObject) {
    cell.textLabel?.text = object.value(forKey: "title") as? String
  }

  func delete(_ object: NSManagedObject) {}
}

/// Passes on what the controller tells, call by call.
@MainActor
private final class CallByCall: NSObject, UITableViewDataSource,
  @preconcurrency NSFetchedResultsControllerDelegate
{
  private let table: UITableView
  private let controller: NSFetchedResultsController<NSManagedObject>

  init(_ table: UITableView, _ controller: NSFetchedResultsController<NSManagedObject>) {
    self.table = table
    self.controller = controller
  }

  func numberOfSections(in tableView: UITableView) -> Int { controller.sections?.count ?? 0 }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    controller.sections?[section].numberOfObjects ?? 0
  }

  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = controller.object(at: indexPath).value(forKey: "title") as? String
    return cell
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    table.beginUpdates()
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    if type == .insert {
      table.insertSections([sectionIndex], with: .automatic)
    } else {
      table.deleteSections([sectionIndex], with: .automatic)
    }
  }

  private var moved: [IndexPath] = []

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    switch type {
    case .insert: table.insertRows(at: [newIndexPath!], with: .automatic)
    case .delete: table.deleteRows(at: [indexPath!], with: .automatic)
    case .move:
      table.moveRow(at: indexPath!, to: newIndexPath!)
      moved.append(newIndexPath!)
    case .update: table.reconfigureRows(at: [indexPath!])
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    table.endUpdates()
    // A table draws a row that moves as it was.
    table.reconfigureRows(at: moved)
    moved = []
  }
}
