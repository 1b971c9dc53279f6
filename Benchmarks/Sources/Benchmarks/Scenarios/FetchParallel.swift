import CoreData
import Dispatch
import Synchronization

/// Four contexts of one coordinator, each on its queue, fetch a quarter of the rows at once and read every
/// value; the peer is one context of ours that fetches the four quarters one after the other. On two
/// cores the best ratio is 0.5.
extension Scenario {
  static func fetchParallel(_ count: Int, in workspace: Workspace) throws -> Scenario {
    let fixture = try Fixture(count: count, indexedBy: ["order"], in: workspace)
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try fetchQuarters(contexts: 4, fixture, workspace) },
        Contestant(name: "one context") { _ in
          try fetchQuarters(contexts: 1, fixture, workspace)
        },
      ])
  }

  private static func fetchQuarters(
    contexts count: Int, _ fixture: Fixture, _ workspace: Workspace
  ) throws -> Outcome {
    let stack = try workspace.opening("ours") { try Stack(fixture.url, indexedBy: ["order"]) }
    let contexts = (0..<count).map { _ in stack.backgroundContext() }
    let total = ParallelChecksum()
    let group = DispatchGroup()
    let end = fixture.rows.count
    let duration = ContinuousClock().measure {
      for quarter in 0..<4 {
        let context = contexts[quarter % count]
        group.enter()
        context.perform {
          total.add(Result { try context.read(end * quarter / 4..<end * (quarter + 1) / 4) })
          group.leave()
        }
      }
      group.wait()
    }
    let checksum = try total.sum.get()
    for context in contexts { context.performAndWait { context.reset() } }
    try stack.close()
    return Outcome(duration: duration, checksum: checksum)
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
