import CoreData
import Testing

@testable import CoreDataSamples

/// Limits and offsets over unsaved changes: a fetch finds what it will find once they are saved, in every form, in children
/// too. Six notes of which the first was deleted, and a limit of one, used to find nothing: whoever makes what it does not
/// find made a second one.
@Suite struct PendingWindowTests {
  private static let changes = 8

  @Test(arguments: Sample.of(StoreKind.all.filter { !$0.isClients }, [false, true]))
  func aWindowIsThatOfWhatWillBeSaved(_ kind: StoreKind, isChild: Bool) throws {
    for seed in UInt64(1)...4 {
      var random = SplitMix64(seed: seed)
      let stack = try TestStack(kind)
      let parent = stack.makeContext()
      try parent.performAndWait {
        for number in 0..<10 {
          parent.makeItem("\(number)", order: Int64.random(in: 0..<4, using: &random))
        }
        try parent.save()
        // What a parent has not saved counts for its children.
        if isChild { try change(parent, &random) }
      }
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      let context = isChild ? child : parent
      try context.performAndWait {
        try change(context, &random)
        let windows = try Self.windows.map { try found($0, context) }
        try context.save()
        if isChild { try parent.performAndWait { try parent.save() } }
        let fresh = stack.makeContext()
        for (window, before) in zip(Self.windows, windows) {
          let after = try fresh.performAndWait { try found(window, fresh) }
          #expect(before == after, "seed \(seed), \(window)")
        }
      }
    }
  }

  struct Window: Sendable {
    let limit: Int, offset: Int
    let predicate: String?
    /// Without one, the order is that of the keys, and no new object is known a key yet.
    let sorts: [String]
  }

  private static let windows: [Window] = [0, 1, 3, 20].flatMap { limit in
    [0, 1, 7].flatMap { offset in
      [nil, "order < 2", "title != '3'"].flatMap { predicate in
        [["order", "title"], ["title"]].map {
          Window(limit: limit, offset: offset, predicate: predicate, sorts: $0)
        }
      }
    }
  }

  private func request(_ window: Window) -> NSFetchRequest<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    (request.fetchLimit, request.fetchOffset) = (window.limit, window.offset)
    request.predicate = window.predicate.map { NSPredicate(format: $0) }
    request.sortDescriptors = window.sorts.map { NSSortDescriptor(key: $0, ascending: true) }
    return request
  }

  /// In every form that a fetch has.
  private func found(_ window: Window, _ context: NSManagedObjectContext) throws -> [String] {
    let titles = try context.fetch(request(window)).map { $0.title ?? "" }
    #expect(try context.count(for: request(window)) == titles.count, "\(window)")
    let ids = NSFetchRequest<NSManagedObjectID>(request(window))
    ids.resultType = .managedObjectIDResultType
    let byID = try context.fetch(ids).map { (context.object(with: $0) as? Item)?.title ?? "" }
    #expect(byID == titles, "\(window)")
    #expect(try context.fetchLazily(request(window)).map { $0.title ?? "" } == titles, "\(window)")
    let list = NSFetchedResultsController(
      fetchRequest: request(window), managedObjectContext: context, sectionNameKeyPath: nil,
      cacheName: nil)
    try list.performFetch()
    #expect(list.fetchedObjects?.map { $0.title ?? "" } == titles, "\(window)")
    return titles
  }

  private func change(
    _ context: NSManagedObjectContext, _ random: inout SplitMix64
  ) throws {
    for number in 0..<Self.changes {
      let items = try context.items()
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        context.makeItem(
          "new \(number) \(random.next() % 1000)", order: Int64.random(in: 0..<4, using: &random))
      case 1: items.randomElement(using: &random)?.order = Int64.random(in: 0..<4, using: &random)
      default: if let item = items.randomElement(using: &random) { context.delete(item) }
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func whoFindsOrMakesDoesNotMakeTwice(_ kind: StoreKind) throws {
    let stack = try TestStack(kind)
    try stack.withContext { context in
      for number in 0..<6 { context.makeItem("\(number)") }
      try context.save()
      let request = NSFetchRequest<Item>(entityName: "Item")
      request.fetchLimit = 1
      for left in [5, 4, 3] {
        context.delete(try #require(try context.items().first))
        #expect(try context.fetch(request).count == 1, "\(left) are left")
        #expect(try context.count(for: request) == 1)
      }
      // Without an order an edit moves nothing.
      let first = try #require(try context.fetch(request).first)
      first.order = 7
      #expect(try context.fetch(request) == [first])
    }
  }

  @Test(arguments: StoreKind.all.filter(\.givesKeys))
  func anAsynchronousFetchHasTheSameWindow(_ kind: StoreKind) async throws {
    let stack = try TestStack(kind)
    let context = stack.makeContext()
    try await context.perform {
      for number in 0..<6 { context.makeItem("\(number)") }
      try context.save()
      for item in try context.items().prefix(2) { context.delete(item) }
      context.makeItem("3a")
    }
    let titles = try await withCheckedThrowingContinuation { continuation in
      context.performAndWait {
        let request = NSFetchRequest<Item>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        (request.fetchOffset, request.fetchLimit) = (1, 2)
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          continuation.resume(
            with: Result {
              if let error = result.operationError { throw error }
              return (result.finalResult ?? []).map { $0.title ?? "" }
            })
        }
        do { _ = try context.execute(asynchronous) } catch { continuation.resume(throwing: error) }
      }
    }
    #expect(titles == ["3", "3a"])
  }
}
