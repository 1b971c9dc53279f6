import CoreData
import Limit
import CSQLite

/// A list of all rows, sorted, is on show; a background save has changed the sort keys of one row in a
/// hundred, each of which moves by fifty. Measured is the time from the merge until the list's owner knows
/// where each row was and where it is: for ours the last callback; for the C API the new list of keys, and
/// for each changed key its places in both lists.
extension Scenario {
  static func listMerge(_ changes: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: changes * 100, indexedBy: ["order"], in: workspace)
    let ours = try MergingList(workspace.copy(of: fixture.url), changes, workspace)
    let raw = try ReadingList(workspace.copy(of: fixture.url), workspace)
    let limit = try LimitMergingList(workspace.copy(of: fixture.url), workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { try ours.merge(RowMoves(run: $0, changes: changes)) },
        Contestant(name: "raw") { try raw.read(RowMoves(run: $0, changes: changes)) },
        Contestant(name: "limit") { try limit.merge(RowMoves(run: $0, changes: changes)) },
      ])
  }
}

/// What the run of a number changes: rows r, r + 100, r + 200 and so on. No row moves twice, no order is
/// taken twice.
private struct RowMoves {
  let run: Int
  let changes: Int

  /// The old orders, which say which rows they are: order 2i is of key i + 2.
  var oldOrders: [Int64] { (0..<changes).map { Int64(2 * ($0 * 100 + run)) } }

  func newOrder(ofOrder order: Int64) -> Int64 {
    let rows = changes * 100
    return Int64(2 * ((Int(order / 2) + 50 + 2 * run) % rows) + 1)
  }
}

/// Ours: a fetched results controller with a delegate, and a background context that saves.
private final class MergingList {
  private let stack: Stack
  private let background: NSManagedObjectContext
  private let controller: NSFetchedResultsController<Item>
  private let watcher = MoveWatcher()

  init(_ store: URL, _ changes: Int, _ workspace: Workspace) throws {
    let stack = try workspace.opening("ours") { try Stack(store, indexedBy: ["order"]) }
    self.stack = stack
    background = stack.backgroundContext()
    controller = stack.controller(orderedBy: ["order"])
    controller.delegate = watcher
    try controller.performFetch()
  }

  func merge(_ moves: RowMoves) throws -> Outcome {
    let notification = try save(moves)
    watcher.reset()
    let duration = ContinuousClock().measure {
      stack.context.mergeChanges(fromContextDidSave: notification)
      stack.context.processPendingChanges()
    }
    try BenchmarkError.expect("Ends of changes", watcher.ends, toBe: 1)
    return Outcome(duration: duration, checksum: watcher.checksum)
  }

  private func save(_ moves: RowMoves) throws -> Notification {
    try background.performAndWait {
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.predicate = NSPredicate(format: "order IN %@", moves.oldOrders)
      for item in try background.fetch(request) {
        item.order = moves.newOrder(ofOrder: item.order)
      }
      return try background.saveForMerging()
    }
  }
}

/// Folds in each move that the controller tells.
private final class MoveWatcher: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var checksum = Checksum()
  private(set) var ends = 0

  func reset() { (checksum, ends) = (Checksum(), 0) }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard type == .move, let indexPath, let newIndexPath else { return }
    checksum.addMove(from: indexPath.row, to: newIndexPath.row)
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    ends += 1
  }
}

/// The C API: the keys are read again after the transaction; where a key stands is kept by key.
private final class ReadingList {
  private let connection: RawConnection
  private var places: [Int] = []

  init(_ store: URL, _ workspace: Workspace) throws {
    connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    places = try readPlaces()
  }

  func read(_ moves: RowMoves) throws -> Outcome {
    try moves.save(on: connection)
    let keys = moves.oldOrders.map { Int($0 / 2) + 2 }
    var checksum = Checksum()
    let duration = try ContinuousClock().measure {
      let newPlaces = try readPlaces()
      for key in keys { checksum.addMove(from: places[key], to: newPlaces[key]) }
      places = newPlaces
    }
    return Outcome(duration: duration, checksum: checksum)
  }

  /// Keys count from 1 without a gap.
  private func readPlaces() throws -> [Int] {
    let keys = try connection.keys(orderedBy: "ZORDER")
    var places = [Int](repeating: 0, count: keys.count + 1)
    for (place, key) in keys.enumerated() { places[Int(key)] = place }
    return places
  }
}

extension RowMoves {
  func save(on connection: RawConnection) throws {
    try connection.execute("BEGIN IMMEDIATE")
    let update = try RawStatement(
      "UPDATE ZITEM SET ZORDER = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", on: connection.handle)
    for order in oldOrders {
      sqlite3_bind_int64(update.handle, 1, newOrder(ofOrder: order))
      sqlite3_bind_int64(update.handle, 2, order / 2 + 2)
      _ = try update.step()
      sqlite3_reset(update.handle)
    }
    try connection.execute("COMMIT")
  }
}

/// The limit: a list of keys, and the rows of a save that another context shares.
private final class LimitMergingList {
  private let saver: RawConnection
  private let list: LimitList

  init(_ store: URL, _ workspace: Workspace) throws {
    saver = try workspace.opening("limit") {
      try RawConnection(store, settings: workspace.settings)
    }
    list = try LimitList(store, workspace)
  }

  func merge(_ moves: RowMoves) throws -> Outcome {
    try moves.save(on: saver)
    var changes = moves.oldOrders.map { order in
      limit_move(
        key: order / 2 + 2, order: moves.newOrder(ofOrder: order), old_rank: -1, new_rank: -1)
    }
    let duration = try list.merge(&changes) { try ContinuousClock().measure($0) }
    var checksum = Checksum()
    for change in changes {
      checksum.addMove(from: Int(change.old_rank), to: Int(change.new_rank))
    }
    return Outcome(duration: duration, checksum: checksum)
  }
}

extension Checksum {
  fileprivate mutating func addMove(from oldRow: Int, to newRow: Int) {
    addRow()
    add(oldRow &* newRow)
  }
}
