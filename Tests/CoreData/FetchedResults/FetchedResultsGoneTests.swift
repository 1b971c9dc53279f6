import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// What is kept as 64 bits answers when the object, its store or its coordinator is gone: reading never stops the
/// program.
@Suite struct FetchedResultsGoneTests {
  /// What happens between the fetch and the reading.
  enum Loss: CaseIterable {
    case reset, rollback, removedStore, logOut, logOutAndIn, otherCoordinator, noCoordinator

    var leavesTheStore: Bool { self == .reset || self == .rollback }

    func happen(_ stack: FetchedStack) throws {
      let (context, coordinator) = (stack.context, stack.coordinator)
      switch self {
      case .reset: context.reset()
      case .rollback: context.rollback()
      case .removedStore: try coordinator.remove(coordinator.persistentStores[0])
      case .logOut:
        context.reset()
        try coordinator.remove(coordinator.persistentStores[0])
      case .logOutAndIn:
        try Self.logOut.happen(stack)
        try coordinator.addPersistentStore(
          ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        try Self.fill(coordinator)
      case .otherCoordinator:
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        try other.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        // Its objects have the same 64 bits.
        try Self.fill(other)
        context.persistentStoreCoordinator = other
      case .noCoordinator: context.persistentStoreCoordinator = nil
      }
    }

    private static func fill(_ coordinator: NSPersistentStoreCoordinator) throws {
      let context = coordinator.makeContext()
      try context.performAndWait {
        for _ in 0..<5 { context.makeBook("a stranger") }
        try context.save()
      }
    }
  }

  private static let types = [
    NSInMemoryStoreType, NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType,
  ]

  /// Two saved books and one that is not, fetched and perhaps looked at, then lost.
  private func lose(
    _ loss: Loss, _ type: String, isTracked: Bool, isRead: Bool, sections: String?,
    _ check: (FetchedStack, NSFetchedResultsController<NSManagedObject>, String) throws -> Void
  ) throws {
    let stack = try FetchedStack(type)
    let recorder = CallRecorder()
    try stack.context.performAndWait {
      for title in ["a", "b"] { stack.makeBook(title, group: "g") }
      try stack.context.save()
      stack.context.reset()
      stack.makeBook("c", group: "g")
      let controller = stack.controller(
        sections == nil ? ["title"] : ["group", "title"], sections: sections)
      if isTracked { controller.delegate = recorder }
      try controller.performFetch()
      if isRead { #expect(controller.titles == ["a", "b", "c"]) }
      try loss.happen(stack)
      try check(
        stack, controller,
        "\(loss), \(type), tracked \(isTracked), read \(isRead), sections \(sections ?? "none")")
    }
  }

  private func forEachCase(
    _ loss: Loss,
    _ check: (FetchedStack, NSFetchedResultsController<NSManagedObject>, String) throws -> Void
  ) throws {
    for type in Self.types {
      for isTracked in [false, true] {
        for isRead in [false, true] {
          for sections in [nil, "group"] {
            try lose(loss, type, isTracked: isTracked, isRead: isRead, sections: sections, check)
          }
        }
      }
    }
  }

  @Test(arguments: Loss.allCases) func aControllerCanBeReadOnceMore(_ loss: Loss) throws {
    try forEachCase(loss) { stack, controller, place in
      // A rollback takes the unsaved book out of a list that follows its context.
      let isShorter = loss == .rollback && controller.delegate != nil
      let count = isShorter ? 2 : 3
      #expect(controller.sections?.map(\.numberOfObjects) == [count], "\(place)")
      for row in 0..<count {
        let path = IndexPath(row: row, section: 0)
        let book = controller.object(at: path)
        #expect(controller.existingObject(at: path)?.objectID == book.objectID, "\(place)")
        #expect(controller.objectID(at: path) == book.objectID, "\(place)")
        #expect(controller.indexPath(forObject: book) == path, "\(place)")
        #expect(book.bookTitle != "a stranger", "\(place)")
        let isThere = loss.leavesTheStore && row < 2
        if isThere {
          #expect(book.bookTitle == ["a", "b"][row], "\(place)")
          #expect(book.managedObjectContext === stack.context, "\(place)")
        } else if loss != .removedStore {
          #expect(book.bookTitle == "-" && book.isFault, "\(place)")
          #expect(book.managedObjectContext == nil && !book.isDeleted, "\(place)")
        }
      }
      #expect(controller.fetchedObjects?.count == count, "\(place)")
      #expect(controller.sections?[0].objects?.count == count, "\(place)")
      #expect(!controller.titles.contains("a stranger"), "\(place)")
    }
  }

  @Test(arguments: Loss.allCases) func theNextFetchIsAsIfNothingHadBeen(_ loss: Loss) throws {
    for type in Self.types {
      try lose(loss, type, isTracked: true, isRead: true, sections: nil) { _, controller, place in
        switch loss {
        case .noCoordinator:
          #expect(throws: NSError.self) { try controller.performFetch() }
          return
        default: try controller.refetch()
        }
        let expected: [String] =
          switch loss {
          case .reset, .rollback: ["a", "b"]
          case .logOutAndIn, .otherCoordinator: Array(repeating: "a stranger", count: 5)
          default: []
          }
        // Without a reset the context still has its unsaved book.
        #expect(controller.titles == (loss == .removedStore ? ["c"] : expected), "\(place)")
      }
    }
  }

  @Test(arguments: Loss.allCases) func aLazyFetchCanBeReadOnceMore(_ loss: Loss) throws {
    for type in Self.types {
      for isRead in [false, true] {
        let stack = try FetchedStack(type)
        try stack.context.performAndWait {
          for title in ["a", "b"] { stack.makeBook(title) }
          try stack.context.save()
          stack.context.reset()
          stack.makeBook("c")
          let request = stack.request()
          request.fetchBatchSize = 2
          let books = try stack.context.fetchLazily(request)
          let wanted = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
          wanted.resultType = .managedObjectIDResultType
          let identities = try stack.context.fetchLazily(wanted)
          let known = Set(identities)
          if isRead { #expect(books.map(\.bookTitle) == ["a", "b", "c"]) }
          try loss.happen(stack)
          let place = "\(loss), \(type), read \(isRead)"
          #expect(books.count == 3 && Set(books.map(\.objectID)).count == 3, "\(place)")
          #expect(!books.map(\.bookTitle).contains("a stranger"), "\(place)")
          if loss.leavesTheStore {
            #expect(books.prefix(2).map(\.bookTitle) == ["a", "b"], "\(place)")
          }
          #expect(Set(identities) == known, "\(place)")
        }
      }
    }
  }

  @Test func aLazyFetchKnowsWhatASaveHasMadePermanent() throws {
    for type in Self.types {
      let stack = try FetchedStack(type)
      try stack.context.performAndWait {
        let book = stack.makeBook("a")
        let books = try stack.context.fetchLazily(stack.request())
        try stack.context.save()
        #expect(books.map(\.objectID) == [book.objectID] && books[0] === book)
      }
    }
  }

  @Test func anIDOfAnotherStoreIsNobodyElsesObject() throws {
    let stack = try FetchedStack(NSSQLiteStoreType)
    let strange = try FetchedStack(NSInMemoryStoreType)
    let id = try strange.context.performAndWait {
      let book = strange.makeBook("a stranger")
      try strange.context.save()
      return book.objectID
    }
    try stack.context.performAndWait {
      let own = stack.makeBook("a")
      try stack.context.save()
      #expect(own.objectID.packed == id.packed)
      let found = stack.context.object(with: id)
      #expect(found !== own && found.objectID === id && found.bookTitle == "-")
      #expect(stack.context.registeredObject(for: id) == nil)
      let error = #expect(throws: NSError.self) { try stack.context.existingObject(with: id) }
      #expect(error?.code == 133000)
      // Nor is what happens to it anything that happens here.
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: [id], NSUpdatedObjectsKey: [id]],
        into: [stack.context])
      #expect(!own.isDeleted && own.bookTitle == "a" && !stack.context.hasChanges)
    }
  }

  @Test func aListOfTwoStoresGoesOnWithTheOneThatIsLeft() throws {
    try FetchedStack.with(NSSQLiteStoreType) { stack in
      let second = try stack.coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
      for (index, title) in ["a", "b", "c", "d", "e", "f"].enumerated() {
        let book = stack.makeBook(title)
        if index % 2 == 1 { stack.context.assign(book, to: second) }
      }
      try stack.context.save()
      stack.context.reset()
      let (controller, recorder) = (stack.controller(), CallRecorder())
      controller.delegate = recorder
      try controller.performFetch()
      try stack.coordinator.remove(second)
      stack.makeBook("cc")
      stack.context.processPendingChanges()
      #expect(recorder.take().count == 1 && controller.fetchedObjects?.count == 7)
      try controller.performFetch()
      #expect(controller.titles == ["a", "c", "cc", "e"])
    }
  }
}
