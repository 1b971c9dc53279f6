import CoreData

/// The start of an application: opens its store, makes it if there is none, and what every store of it has. Other
/// processes may be starting at the same moment; each thing is made once.
struct StoreOpening: Sendable {
  let place: StorePlace
  let modelURL: URL
  /// Makes what every store has, and saves once; tells what it has mended.
  let prepare: @Sendable (NSManagedObjectContext) throws -> [String]
  /// What a new store is a copy of.
  var prebuiltStore: URL?
  /// Fills an empty store.
  var fill: (@Sendable (NSManagedObjectContext) throws -> Void)?

  /// Others may be writing to the store: then this says so, and waits as long as the store's timeout says.
  func run() async throws -> (stack: PersistentStack, news: [String]) {
    let patience = Task {
      try await Task.sleep(for: .seconds(1))
      let text = "Waiting for \(place.name), which another program may be writing to…\n"
      FileHandle.standardError.write(Data(text.utf8))
    }
    defer { patience.cancel() }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try open() }) }
    }
  }

  private func open() throws -> (PersistentStack, [String]) {
    if let prebuiltStore { try place.fill(withStoreAt: prebuiltStore, modelURL: modelURL) }
    let stack = try PersistentStack(modelURL: modelURL, place: place)
    let context = stack.makeBackgroundContext()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    return try context.performAndWait {
      let coordinator = stack.persistentStoreCoordinator
      let news = try coordinator.alone { try prepare(context) }
      if let fill { try coordinator.alone { try fill(context) } }
      return (stack, news)
    }
  }
}
