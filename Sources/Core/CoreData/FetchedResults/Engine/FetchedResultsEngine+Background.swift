import Synchronization

extension FetchedResultsEngine {
  /// Whether another context finds the same list as this one: this context has no unsaved changes,
  /// parent or query generation, and the list holds no limit and watches no related objects.
  var canFetchElsewhere: Bool {
    context.parent == nil && !context.hasChanges && context.rootCoordinator != nil
      && context.queryGenerationToken == nil && !options.keepsFetchLimit
      && options.watchedKeyPaths.isEmpty
  }

  /// Makes a fetch like this one on a context of its own, for another queue.
  ///
  /// - Parameter limit: the greatest number of rows; 0 for the request's own limit.
  func makeElsewhere(limit: Int = 0) -> FetchElsewhere {
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.rootCoordinator
    other.undoManager = nil
    let copy = NSFetchRequest<NSFetchRequestResult>()
    copy.settings = request.settings
    copy.affectedStores = request.affectedStores
    if limit > 0 { copy.fetchLimit = limit }
    // The sections of a part are not those of the whole list: they are not cached.
    let name = limit > 0 ? nil : cacheName
    let engine = FetchedResultsEngine(
      copy, in: other, sectionNameKeyPath: sectionNameKeyPath, cacheName: name)
    engine.options.hasContiguousSections = options.hasContiguousSections
    return FetchElsewhere(engine: engine, context: other)
  }
}

/// The changes that a context processes while another one fetches. Confined to the context's queue.
final class MissedChanges {
  var changes: [ContextChanges] = []
  /// Whether the context was reset: the previous values of its objects are unknown then.
  var isReset = false
}

/// A fetch on another queue. Identities are valid in every context of a coordinator, so one context
/// can adopt the list of another.
///
/// Sendable: only the queue of `context` uses the engine until ``run()`` has returned; then the
/// caller alone uses the engine and its list. `cancellation` is thread-safe.
struct FetchElsewhere: @unchecked Sendable {
  let engine: FetchedResultsEngine
  let context: NSManagedObjectContext

  /// Fetches once ``FetchRoom`` has a slot. The query ends soon after the task is cancelled.
  func run() async throws -> FetchElsewhere {
    try await FetchRoom.shared.enter()
    defer { FetchRoom.shared.leave() }
    return try await withTaskCancellationHandler {
      try await context.perform {
        try engine.performFetch()
        // Built here, so that the first change of a long list does not wait for it.
        _ = engine.list?.order.requireLocator()
      }
      return self
    } onCancel: {
      engine.cancellation.cancel()
    }
  }

  var list: FetchedList? { engine.list }
}

/// Limits the fetches that run on other queues at once. There are fewer than a store has reading
/// connections, so that reads of the main queue never wait for them.
final class FetchRoom: Sendable {
  static let shared = FetchRoom(places: 2)

  private struct State {
    var places: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(places: Int) { state = Mutex(State(places: places)) }

  /// Waits for a slot, first come, first served.
  ///
  /// - Throws: `CancellationError` if the task was cancelled meanwhile; it then holds no slot.
  func enter() async throws {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.places == 0 {
          state.waiting.append(continuation)
          return false
        }
        state.places -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
    guard Task.isCancelled else { return }
    leave()
    throw CancellationError()
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.places += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
