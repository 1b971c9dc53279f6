import CoreData
import Dispatch
import GRDB
import CSQLite
import Synchronization

/// A list of all rows, sorted, is on show; one row's sort key changes. Measured is the time from the edit
/// until the list's owner knows where the row was and where it is: for ours the last callback of the fetched
/// results controller; for GRDB the new list of its observation; for the C API the new list of keys and the
/// two places where it differs from the old one, found by a search from both ends, and in a further way by
/// Swift's `difference(from:)`.
///
/// An edit of ours is in memory until it is saved, while the peers' lists come from the file: so ours is
/// measured up to the end of a save as well, under the name `frc-change-saved-…`.
extension Scenario {
  static func listChange(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, indexedBy: ["order"], in: workspace)
    func copy() throws -> URL { try workspace.copy(of: fixture.url) }
    let raw = try RawList(copy(), workspace, RawList.place)
    let difference = try RawList(copy(), workspace, RawList.placeByDifference)
    let grdb = try GRDBList(copy(), workspace)
    let limit = try LimitChangingList(copy(), workspace)
    func run(
      _ change: @escaping (ListMove) throws -> (Duration, Checksum)
    ) -> (Int) throws -> Outcome {
      { try changes(ofRun: $0, among: count, change) }
    }
    return Scenario(
      unit: .microseconds, mayRepeat: false,
      contestants: try ours(fixture, workspace) + [
        Contestant(name: "raw", run: run(raw.change)),
        Contestant(name: "Array.difference", run: run(difference.change)),
        Contestant(name: "GRDB", run: run(grdb.change)),
        Contestant(name: "limit", run: run(limit.change)),
      ])
  }

  /// Ours alone, at sizes that show how the cost of a change grows.
  static func listGrowth(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, indexedBy: ["order"], in: workspace)
    return Scenario(
      unit: .microseconds, mayRepeat: false, contestants: try ours(fixture, workspace))
  }

  private static func ours(_ fixture: Fixture, _ workspace: Workspace) throws -> [Contestant] {
    try [("", false), ("saved", true)].map { way, saves in
      let list = try OurList(workspace.copy(of: fixture.url), saves: saves, workspace)
      return .ours(way: way) {
        try changes(ofRun: $0, among: fixture.rows.count, list.change)
      }
    }
  }

  /// Five changes, and the mean time of one.
  private static func changes(
    ofRun number: Int, among count: Int, _ change: (ListMove) throws -> (Duration, Checksum)
  ) throws -> Outcome {
    var total = Duration.zero
    var checksum = Checksum()
    for step in 0..<5 {
      let (duration, sum) = try change(ListMove(number * 5 + step, among: count))
      total += duration
      checksum.add(sum)
    }
    return Outcome(duration: total / 5, checksum: checksum)
  }
}

/// The n-th change: which row moves, and to which order. All sides make the same changes, each to its own
/// copy of the store; no row moves twice and no order is taken twice.
struct ListMove {
  let oldOrder: Int64
  let newOrder: Int64

  init(_ number: Int, among count: Int) {
    // Multiples of the golden ratio are spread evenly and do not repeat.
    let golden = 0.618_033_988_749_895
    let source = (Double(number + 1) * golden).truncatingRemainder(dividingBy: 1)
    let target = (Double(number + 1) * golden * golden + 0.31).truncatingRemainder(dividingBy: 1)
    oldOrder = 2 * Int64(source * Double(count))
    newOrder = 2 * Int64(target * Double(count)) + 1
  }
}

/// Ours: a fetched results controller with a delegate.
private final class OurList {
  private let stack: Stack
  private let controller: NSFetchedResultsController<Item>
  private let watcher = ListWatcher()
  private let saves: Bool

  init(_ store: URL, saves: Bool, _ workspace: Workspace) throws {
    let stack = try workspace.opening("ours") { try Stack(store, indexedBy: ["order"]) }
    controller = stack.controller(orderedBy: ["order"])
    controller.delegate = watcher
    try controller.performFetch()
    self.stack = stack
    self.saves = saves
  }

  func change(_ move: ListMove) throws -> (Duration, Checksum) {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(format: "order = %@", move.oldOrder)
    let item = try stack.context.fetch(request)[0]
    var checksum = Checksum()
    checksum.add(item.order)
    watcher.reset()
    let duration = try ContinuousClock().measure {
      item.order = move.newOrder
      stack.context.processPendingChanges()
      if saves { try stack.context.save() }
    }
    try watcher.expectOneMove()
    checksum.add(watcher.oldRow)
    checksum.add(watcher.newRow)
    return (duration, checksum)
  }
}

/// Notes what the controller tells.
private final class ListWatcher: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var oldRow = -1
  private(set) var newRow = -1
  private var moves = 0
  private var ends = 0

  func reset() { (oldRow, newRow, moves, ends) = (-1, -1, 0, 0) }

  func expectOneMove() throws {
    guard moves == 1, ends == 1 else {
      throw BenchmarkError.wrongNumberOfChanges("ours", expected: 1, found: max(moves, ends))
    }
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard type == .move, let indexPath, let newIndexPath else { return }
    moves += 1
    oldRow = indexPath.row
    newRow = newIndexPath.row
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    ends += 1
  }
}

/// The C API: the row is updated, the keys are read again in their order, the lists are compared.
private final class RawList {
  private let connection: RawConnection
  private let update: RawStatement
  private let select: RawStatement
  private let place: (Int64, [Int64], [Int64]) -> (Int, Int)
  private var keys: [Int64] = []

  init(
    _ store: URL, _ workspace: Workspace, _ place: @escaping (Int64, [Int64], [Int64]) -> (Int, Int)
  ) throws {
    self.place = place
    connection = try workspace.opening("raw") {
      try RawConnection(store, settings: workspace.settings)
    }
    update = try RawStatement(
      "UPDATE ZITEM SET ZORDER = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", on: connection.handle)
    select = try RawStatement("SELECT Z_PK FROM ZITEM ORDER BY ZORDER", on: connection.handle)
    keys = try readKeys()
  }

  private func readKeys() throws -> [Int64] {
    defer { sqlite3_reset(select.handle) }
    var result: [Int64] = []
    result.reserveCapacity(keys.count)
    while try select.step() { result.append(sqlite3_column_int64(select.handle, 0)) }
    return result
  }

  func change(_ move: ListMove) throws -> (Duration, Checksum) {
    let key = try self.key(atOrder: move.oldOrder)
    var rows = (old: -1, new: -1)
    let duration = try ContinuousClock().measure {
      sqlite3_bind_int64(update.handle, 1, move.newOrder)
      sqlite3_bind_int64(update.handle, 2, key)
      _ = try update.step()
      sqlite3_reset(update.handle)
      let newKeys = try readKeys()
      rows = place(key, keys, newKeys)
      keys = newKeys
    }
    var checksum = Checksum()
    checksum.add(move.oldOrder)
    checksum.add(rows.old)
    checksum.add(rows.new)
    return (duration, checksum)
  }

  private func key(atOrder order: Int64) throws -> Int64 {
    let statement = try RawStatement(
      "SELECT Z_PK FROM ZITEM WHERE ZORDER = ?", on: connection.handle)
    sqlite3_bind_int64(statement.handle, 1, order)
    _ = try statement.step()
    return sqlite3_column_int64(statement.handle, 0)
  }

  /// The first and the last place where the lists differ are where the row was and is, in one order or the other.
  static func place(of key: Int64, from old: [Int64], to new: [Int64]) -> (Int, Int) {
    var low = 0
    while low < old.count, old[low] == new[low] { low += 1 }
    var high = old.count - 1
    while high > low, old[high] == new[high] { high -= 1 }
    return old[min(low, high)] == key ? (low, high) : (high, low)
  }

  /// What Swift finds: the row is removed at one place and inserted at another.
  static func placeByDifference(
    of key: Int64, from old: [Int64], to new: [Int64]
  ) -> (Int, Int) {
    var rows = (old: -1, new: -1)
    for change in new.difference(from: old) {
      switch change {
      case .remove(let row, _, _): rows.old = row
      case .insert(let row, _, _): rows.new = row
      }
    }
    return rows
  }
}

/// The limit: the edit is in memory, as ours.
private final class LimitChangingList {
  private let list: LimitList

  init(_ store: URL, _ workspace: Workspace) throws { list = try LimitList(store, workspace) }

  func change(_ move: ListMove) throws -> (Duration, Checksum) {
    // Order 2i is of key i + 2.
    let key = move.oldOrder / 2 + 2
    try list.hold(key)
    var rows = (old: -1, new: -1)
    let duration = try ContinuousClock().measure {
      rows = try list.change(key, toOrder: move.newOrder)
    }
    var checksum = Checksum()
    checksum.add(move.oldOrder)
    checksum.add(rows.old)
    checksum.add(rows.new)
    return (duration, checksum)
  }
}

/// GRDB: an observation of the list of records.
private final class GRDBList {
  private let queue: DatabaseQueue
  private let mailbox = Mailbox()
  private let observation: AnyDatabaseCancellable
  private var items: [GRDBItem]

  init(_ store: URL, _ workspace: Workspace) throws {
    queue = try workspace.opening("GRDB") {
      try GRDBItem.open(store, settings: workspace.settings)
    }
    observation = ValueObservation.tracking {
      try GRDBItem.order(GRDBItem.Columns.order).fetchAll($0)
    }
    .start(
      in: queue, scheduling: .async(onQueue: DispatchQueue(label: "observer")),
      onError: { fatalError("GRDB's observation failed: \($0)") },
      onChange: { [mailbox] in mailbox.post($0) })
    items = mailbox.take()
  }

  func change(_ move: ListMove) throws -> (Duration, Checksum) {
    let oldRow = items.firstIndex { $0.order == move.oldOrder }!
    var item = items[oldRow]
    var newItems: [GRDBItem] = []
    let duration = try ContinuousClock().measure {
      item.order = move.newOrder
      try queue.write { _ = try item.update($0, columns: [GRDBItem.Columns.order]) }
      newItems = mailbox.take()
    }
    try mailbox.expectEmpty()
    items = newItems
    var checksum = Checksum()
    checksum.add(move.oldOrder)
    checksum.add(oldRow)
    checksum.add(items.firstIndex { $0.key == item.key }!)
    return (duration, checksum)
  }
}

/// Where the observer's thread leaves lists for the one that waits.
///
/// Sendable: the lists are behind the lock.
private final class Mailbox: Sendable {
  private let lists = Mutex<[[GRDBItem]]>([])
  private let arrival = DispatchSemaphore(value: 0)

  func post(_ list: [GRDBItem]) {
    lists.withLock { $0.append(list) }
    arrival.signal()
  }

  func take() -> [GRDBItem] {
    arrival.wait()
    return lists.withLock { $0.removeFirst() }
  }

  func expectEmpty() throws {
    let count = lists.withLock { $0.count }
    guard count == 0 else {
      throw BenchmarkError.wrongNumberOfChanges("GRDB", expected: 1, found: 1 + count)
    }
  }
}
