import CoreData
import Synchronization

/// Opens the store of an application, creating it and its initial contents if needed. Other
/// processes may start at the same time; each part is created once.
struct StoreOpening: Sendable {
  let place: StorePlace
  let modelURL: URL
  /// Creates the initial contents and saves once. Returns messages about repairs.
  let prepare: @Sendable (NSManagedObjectContext) throws -> [String]
  /// The store that a new store is copied from.
  var prebuiltStore: URL?
  /// Fills an empty store.
  var fill: (@Sendable (NSManagedObjectContext) throws -> Void)?

  /// Opens the store. Waits for other processes that are writing to it, up to the store's timeout;
  /// after a second, writes a message to standard error.
  func run() async throws -> (stack: PersistentStack, news: [String]) {
    let stage = Stage()
    let patience = Task {
      try await Task.sleep(for: .seconds(1))
      let text =
        stage.isFilling.withLock(\.self)
        ? "Making the first rows of \(place.name)…\n"
        : "Waiting for \(place.name), which another program may be writing to…\n"
      FileHandle.standardError.write(Data(text.utf8))
    }
    defer { patience.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try open(stage) }) }
    }
  }

  /// How far the opening is.
  private final class Stage: Sendable {
    let isFilling = Mutex(false)
  }

  private func open(_ stage: Stage) throws -> (PersistentStack, [String]) {
    if let prebuiltStore { try place.fill(withStoreAt: prebuiltStore, modelURL: modelURL) }
    let stack = try PersistentStack(modelURL: modelURL, place: place)
    let context = stack.makeBackgroundContext()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    return try context.performAndWait {
      let coordinator = stack.persistentStoreCoordinator
      let news = try coordinator.alone { try prepare(context) }
      if let fill {
        try coordinator.alone {
          stage.isFilling.withLock { $0 = true }
          try fill(context)
        }
      }
      return (stack, news)
    }
  }
}
