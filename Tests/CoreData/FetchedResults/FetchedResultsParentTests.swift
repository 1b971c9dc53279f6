import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Lists of one parent's children, of none's, and of all that can be said beside it: after every change here or
/// elsewhere they are what a fetch finds.
@Suite struct FetchedResultsParentTests {
  enum Form: String, CaseIterable {
    case object, reversed, identity, none, and, nested, or, not, unequal, member, twoParents
  }

  private static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

  @Test(arguments: Sample.of(Form.allCases, stores))
  func listsOfAParentEqualAFetch(form: Form, store: String) throws {
    let seed: UInt64 = 20_261_123
    print("seed \(seed) of \(form) in \(store)")
    for run in 0..<6 {
      try FetchedStack.with(store) { stack in
        var random = SplitMix64(seed: seed &+ UInt64(run) &* 7919)
        // A parent that is unsaved when the list is fetched is known by another ID later.
        let game = try Game(stack, form, isUnsaved: run % 2 == 1)
        for step in 0..<40 {
          try game.change(&random)
          let wanted = try stack.context.fetch(game.controller.fetchRequest)
          let shown = game.controller.fetchedObjects ?? []
          try #require(
            shown.map(\.bookTitle) == wanted.map(\.bookTitle),
            "\(form), seed \(seed), run \(run), step \(step)")
        }
        // A temporary ID is no object's any more once it is saved, for a fetch as for a list.
        let finds = form != .identity || run % 2 == 0
        #expect(game.delegate.count > 0 || !finds, "\(form), run \(run): the list never changed")
      }
    }
  }

  private final class Counter: NSObject, NSFetchedResultsControllerDelegate {
    var count = 0
    func controllerDidChangeContent(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) { count += 1 }
  }

  private final class Game {
    let stack: FetchedStack
    let controller: NSFetchedResultsController<NSManagedObject>
    let delegate = Counter()
    let shelves: [NSManagedObject]
    var number = 100

    init(_ stack: FetchedStack, _ form: Form, isUnsaved: Bool) throws {
      self.stack = stack
      let shelf = stack.coordinator.managedObjectModel.entitiesByName["Shelf"]!
      shelves = (0..<3).map { _ in NSManagedObject(entity: shelf, insertInto: stack.context) }
      if !isUnsaved { try stack.context.save() }
      let request = stack.request()
      request.predicate = Self.predicate(form, shelves)
      controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
        cacheName: nil)
      controller.delegate = delegate
      try controller.performFetch()
      if isUnsaved { try stack.context.save() }
    }

    private static func predicate(_ form: Form, _ shelves: [NSManagedObject]) -> NSPredicate {
      let (own, other) = (shelves[0], shelves[1])
      return switch form {
      case .object: NSPredicate(format: "shelf == %@", own)
      case .reversed: NSPredicate(format: "%@ == shelf", own)
      case .identity: NSPredicate(format: "shelf == %@", own.objectID)
      case .none: NSPredicate(format: "shelf == nil")
      case .and: NSPredicate(format: "shelf == %@ AND title MATCHES '.*[0-4]'", own)
      case .nested:
        NSPredicate(format: "title != '105' AND (title > '1' AND shelf == %@)", own)
      case .or: NSPredicate(format: "shelf == %@ OR title ENDSWITH '2'", own)
      case .not: NSPredicate(format: "NOT (shelf == %@)", own)
      case .unequal: NSPredicate(format: "shelf != %@", own)
      case .member: NSPredicate(format: "shelf IN %@", [own, other])
      case .twoParents: NSPredicate(format: "shelf == %@ OR shelf == %@", own, other)
      }
    }

    func change(_ random: inout SplitMix64) throws {
      if Int.random(in: 0..<3, using: &random) == 0 {
        try edit(stack.context, &random)
        if Bool.random(using: &random) {
          try stack.context.save()
        } else {
          stack.context.processPendingChanges()
        }
      } else {
        // What is unsaved here is not changed elsewhere: conflicts are another matter.
        try stack.context.save()
        try changeElsewhere(&random)
      }
    }

    private func changeElsewhere(_ random: inout SplitMix64) throws {
      let other = stack.coordinator.makeContext()
      let observer = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: other, queue: nil
      ) { [stack] in stack.context.mergeChanges(fromContextDidSave: $0) }
      defer { NotificationCenter.default.removeObserver(observer) }
      try other.performAndWait {
        for _ in 0..<Int.random(in: 1...3, using: &random) { try edit(other, &random) }
        try other.save()
      }
    }

    private func edit(_ context: NSManagedObjectContext, _ random: inout SplitMix64) throws {
      let books = try context.fetch(stack.request())
      let place = ([nil] + shelves).randomElement(using: &random)!
      let shelf = place.map { context.object(with: $0.objectID.resolved) }
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        number += 1
        let entity = Bool.random(using: &random) ? "Book" : "Atlas"
        context.makeBook("\(number)", entity: entity).setValue(shelf, forKey: "shelf")
      case 2: if let book = books.randomElement(using: &random) { context.delete(book) }
      case 3:
        number += 1
        books.randomElement(using: &random)?.setValue("\(number)", forKey: "title")
      default: books.randomElement(using: &random)?.setValue(shelf, forKey: "shelf")
      }
    }
  }
}
