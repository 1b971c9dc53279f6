import Synchronization

extension FetchedResultsEngine {
  /// Whether another context finds the same list as this one: nothing in memory alone, and no parent,
  /// generation or limit of its own.
  var canFetchElsewhere: Bool {
    context.parent == nil && !context.hasChanges && context.rootCoordinator != nil
      && context.queryGenerationToken == nil && !options.keepsFetchLimit
      && options.watchedKeyPaths.isEmpty
  }

  /// The same fetch on a context of its own, for another queue.
  ///
  /// - Parameter limit: how many rows are enough; 0 for all.
  func makeElsewhere(limit: Int = 0) -> FetchElsewhere {
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.rootCoordinator
    other.undoManager = nil
    let copy = NSFetchRequest<NSFetchRequestResult>()
    copy.settings = request.settings
    copy.affectedStores = request.affectedStores
    if limit > 0 { copy.fetchLimit = limit }
    // The sections of some rows are not those of the list.
    let name = limit > 0 ? nil : cacheName
    let engine = FetchedResultsEngine(copy, other, sectionNameKeyPath, name)
    engine.options.hasContiguousSections = options.hasContiguousSections
    return FetchElsewhere(engine: engine, context: other)
  }
}

/// What a context has processed while another one fetched. Belongs to the context's queue.
final class MissedChanges {
  var changes: [ContextChanges] = []
  /// The context has let go of its objects: nothing is known of what they were.
  var isReset = false
}

/// A fetch that another queue carries out. Identities mean the same in every context of a coordinator,
/// so the list can change hands.
///
/// Sendable: the engine is touched on its context's queue alone, and the list by nobody else once it
/// has been taken.
struct FetchElsewhere: @unchecked Sendable {
  let engine: FetchedResultsEngine
  let context: NSManagedObjectContext

  /// Fetches, once there is room; its query ends soon after the task is cancelled.
  func run() async throws -> FetchElsewhere {
    try await FetchRoom.shared.enter()
    defer { FetchRoom.shared.leave() }
    return try await withTaskCancellationHandler {
      try await context.perform {
        try engine.performFetch()
        // The first change of a long list is not to wait for it.
        _ = engine.list?.order.requireLocator()
      }
      return self
    } onCancel: {
      engine.cancellation.cancel()
    }
  }

  var list: FetchedList? { engine.list }
}

/// How many fetches other queues carry out at a time: fewer than a store has connections that read, so
/// that what the main queue reads never waits for them.
final class FetchRoom: Sendable {
  static let shared = FetchRoom(places: 2)

  private struct State {
    var places: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(places: Int) { state = Mutex(State(places: places)) }

  /// Waits for a place, in turn.
  ///
  /// - Throws: `CancellationError` when the task was cancelled meanwhile; it has no place then.
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
