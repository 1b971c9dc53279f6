import CoreData
import Foundation
import Testing

@testable import CoreDataSamples

/// Many contexts on one queue save what they know, and get to merge what the others have saved only now and
/// then, as the windows of a busy server do.
@Suite @MainActor struct CrowdTests {
  @Test(arguments: Sample.of(StoreKind.all, 1...4 as ClosedRange<UInt64>))
  func everyListIsRightOnceAllIsMerged(_ kind: StoreKind, _ seed: UInt64) async throws {
    let crowd = try Crowd(kind, seed: seed, count: 4)
    for round in 0..<20 {
      for _ in 0..<crowd.number(below: 8) { try crowd.act() }
      await Self.mergeAll()
      try #require(
        crowd.mistakes() == [], "seed \(seed), round \(round): \(crowd.history.suffix(12))")
    }
  }

  /// The merges have been enqueued by the saves, ahead of this.
  private static func mergeAll() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}

@MainActor private final class Crowd {
  private let stack: TestStack
  private let root: NSManagedObjectID
  private var members:
    [(
      context: NSManagedObjectContext, list: NSFetchedResultsController<Item>, follower: Follower?
    )]
  private var random: SplitMix64
  private var count = 0
  private(set) var history: [String] = []

  init(_ kind: StoreKind, seed: UInt64, count: Int) throws {
    stack = try TestStack(kind)
    random = SplitMix64(seed: seed)
    let maker = stack.makeContext()
    root = try maker.performAndWait {
      let root = maker.makeItem("root")
      try maker.save()
      return root.objectID
    }
    members = []
    for place in 0..<count {
      let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.persistentStoreCoordinator = stack.coordinator
      context.automaticallyMergesChangesFromParent = true
      context.mergePolicy = GoneStaysGone()
      context.undoManager = UndoManager()
      let list = NSFetchedResultsController(
        fetchRequest: try request(in: context), managedObjectContext: context,
        sectionNameKeyPath: nil, cacheName: nil)
      // Half of them have a table; the others keep no objects.
      let follower = place % 2 == 0 ? Follower() : nil
      list.delegate = follower ?? quiet
      try list.performFetch()
      members.append((context, list, follower))
    }
  }

  private let quiet = Quiet()
  private final class Quiet: NSObject, NSFetchedResultsControllerDelegate {}

  private func request(in context: NSManagedObjectContext) throws -> NSFetchRequest<Item> {
    let request = NSFetchRequest<Item>(entityName: "Item")
    request.predicate = NSPredicate(
      format: "parent = %@", try context.existingObject(with: root))
    request.sortDescriptors = [NSSortDescriptor(key: "order", ascending: true)]
    return request
  }

  func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// One of them changes something, and saves it before anybody merges.
  func act() throws {
    let place = number(below: members.count)
    let (context, list, _) = members[place]
    let items = list.fetchedObjects ?? []
    count += 1
    switch number(below: 3) {
    case 0 where items.count < 12, _ where items.isEmpty:
      let parent = try #require(try context.existingObject(with: root) as? Item)
      let item = context.makeItem("\(count)", order: Int64(parent.children.count))
      item.parent = parent
      history.append("\(place) adds \(count)")
    case 1:
      let item = items[number(below: items.count)]
      history.append("\(place) calls \(item.title ?? "nil") \(count)")
      item.title = "\(count)"
    default:
      let item = items[number(below: items.count)]
      history.append("\(place) deletes \(item.title ?? "nil")")
      for sibling in items where sibling.order > item.order { sibling.order -= 1 }
      context.delete(item)
    }
    try context.save()
  }

  /// What differs from the store.
  func mistakes() throws -> [String] {
    let fresh = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    fresh.persistentStoreCoordinator = stack.coordinator
    let stored = Set(try fresh.fetch(try request(in: fresh)).map(Self.words))
    return members.enumerated().compactMap { place, member in
      let known = Set((member.list.fetchedObjects ?? []).map(Self.words))
      let shown = member.follower?.shown ?? stored
      return known == stored && shown == stored
        ? nil
        : "\(place) has \(known.subtracting(stored)), not \(stored.subtracting(known)); "
          + "shows \(shown.subtracting(stored)), not \(stored.subtracting(shown))"
    }
  }

  nonisolated static func words(_ item: Item) -> String {
    "\(item.title ?? "nil") at \(item.order)"
  }
}

/// What a table shows that does nothing but what the delegate is told. It keeps its objects, so that they
/// stay the same.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
  private var rows: [ObjectIdentifier: (item: Item, words: String)] = [:]
  var shown: Set<String> { Set(rows.values.map(\.words)) }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
    at path: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let item = object as? Item else { return }
    rows[ObjectIdentifier(item)] = type == .delete ? nil : (item, Crowd.words(item))
  }
}

/// What another context has deleted stays deleted, even where this one has changed it meanwhile.
private final class GoneStaysGone: NSMergePolicy, @unchecked Sendable {
  init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let isGone = { (conflict: NSMergeConflict) in conflict.newVersionNumber == 0 }
    try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: list.filter(isGone))
    try super.resolve(optimisticLockingConflicts: list.filter { !isGone($0) })
  }
}
