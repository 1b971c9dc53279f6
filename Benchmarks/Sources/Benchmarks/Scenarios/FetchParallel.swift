import CoreData
import Dispatch
import CSQLite
import Synchronization

/// Four contexts of one coordinator, each on its queue, fetch a quarter of the rows at once and read every
/// value; the peer is one context of ours that fetches the four quarters one after the other. On two
/// cores the best ratio is 0.5. What a machine makes of that, the two raw lines show: four connections at once,
/// and one.
///
/// All of it is read twice, and the second time counts, as in a program that runs already: the first time four
/// contexts also open four connections and prepare four statements, and one context only one. Under the name
/// `fetch-parallel-once` the first time counts, as a server's first request: raw opens its connections in it too.
extension Scenario {
  static func fetchParallel(
    _ count: Int, readingTwice isTwice: Bool, in workspace: Workspace
  ) throws -> Scenario {
    let fixture = try Fixture(count: count, indexedBy: ["order"], in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try fetchQuarters(contexts: 4, fixture, isTwice, workspace) },
        Contestant(name: "one context") { _ in
          try fetchQuarters(contexts: 1, fixture, isTwice, workspace)
        },
        Contestant(name: "raw") { _ in
          try readQuarters(connections: 4, fixture, isTwice, workspace)
        },
        Contestant(name: "raw, one connection") { _ in
          try readQuarters(connections: 1, fixture, isTwice, workspace)
        },
      ])
  }

  private static func fetchQuarters(
    contexts count: Int, _ fixture: Fixture, _ isTwice: Bool, _ workspace: Workspace
  ) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(fixture.url, indexedBy: ["order"]) }
    let contexts = (0..<count).map { _ in stack.backgroundContext() }
    let outcome = try read(
      fixture, isTwice,
      contexts.map { context in
        { numbers, done in context.perform { done(Result { try context.read(numbers) }) } }
      })
    for context in contexts { context.performAndWait { context.reset() } }
    try stack.close()
    return outcome
  }

  private static func readQuarters(
    connections count: Int, _ fixture: Fixture, _ isTwice: Bool, _ workspace: Workspace
  ) throws -> Outcome {
    let readers = (0..<count).map { RawReader($0, fixture.url, workspace.settings) }
    return try read(
      fixture, isTwice,
      readers.map { reader in
        { numbers, done in reader.queue.async { done(Result { try reader.read(numbers) }) } }
      })
  }

  /// Reads items by their numbers on a queue, and hands over their checksum there.
  private typealias Reader = (
    _ numbers: Range<Int>, _ done: @escaping @Sendable (Result<Checksum, any Error>) -> Void
  ) -> Void

  /// Has the quarters read by these readers in turn, or all of it twice; how long the last time takes.
  private static func read(
    _ fixture: Fixture, _ isTwice: Bool, _ readers: [Reader]
  ) throws -> Outcome {
    if isTwice { _ = try read(fixture, readers) }
    return try read(fixture, readers)
  }

  private static func read(_ fixture: Fixture, _ readers: [Reader]) throws -> Outcome {
    let total = ParallelChecksum()
    let group = DispatchGroup()
    let end = fixture.rows.count
    let duration = ContinuousClock().measure {
      for quarter in 0..<4 {
        group.enter()
        readers[quarter % readers.count](end * quarter / 4..<end * (quarter + 1) / 4) {
          total.add($0)
          group.leave()
        }
      }
      group.wait()
    }
    return Outcome(duration: duration, checksum: try total.sum.get())
  }
}

/// A connection that is used on its queue. Sendable in that sense alone.
private final class RawReader: @unchecked Sendable {
  let queue: DispatchQueue
  private let store: URL
  private let settings: ConnectionSettings?
  /// Opened by the first read, as the connections of a store are.
  private var connection: RawConnection?

  init(_ number: Int, _ store: URL, _ settings: ConnectionSettings?) {
    queue = DispatchQueue(label: "RawReader \(number)")
    (self.store, self.settings) = (store, settings)
  }

  func read(_ numbers: Range<Int>) throws -> Checksum {
    let connection = try connection ?? RawConnection(store, settings: settings)
    self.connection = connection
    let rows = try RawStatement(
      RawItem.selection + " WHERE ZORDER >= ? AND ZORDER < ?", on: connection.handle)
    sqlite3_bind_int64(rows.handle, 1, Int64(2 * numbers.lowerBound))
    sqlite3_bind_int64(rows.handle, 2, Int64(2 * numbers.upperBound))
    var items: [RawItem] = []
    while try rows.step() { items.append(RawItem(rows)) }
    var checksum = Checksum()
    for item in items { checksum.add(item) }
    return checksum
  }
}

extension NSManagedObjectContext {
  /// Fetches the items of these numbers and reads their values.
  fileprivate func read(_ numbers: Range<Int>) throws -> Checksum {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(
      format: "order >= %@ AND order < %@", Int64(2 * numbers.lowerBound),
      Int64(2 * numbers.upperBound))
    var checksum = Checksum()
    for item in try fetch(request) { checksum.add(item) }
    return checksum
  }
}

/// What the contexts' queues have read together.
private final class ParallelChecksum: Sendable {
  private let result = Mutex<Result<Checksum, any Error>>(.success(Checksum()))

  var sum: Result<Checksum, any Error> { result.withLock { $0 } }

  func add(_ part: Result<Checksum, any Error>) {
    result.withLock { result in
      result = result.flatMap { sum in
        part.map { part in
          var sum = sum
          sum.add(part)
          return sum
        }
      }
    }
  }
}
