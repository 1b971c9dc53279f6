import Combine
import CoreData
import Testing

struct ManagedObjectPublisherTests {
  /// Runs on the queue of a context with its own store, which has a book on a shelf.
  private func withBook(_ body: (Book, NSManagedObjectContext) throws -> Void) throws {
    let container = NSPersistentContainer(name: "Shelf")
    container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let book = Book(context: context)
      book.title = "A"
      book.shelf = Shelf(context: context)
      try context.save()
      context.undoManager = UndoManager()
      try body(book, context)
    }
  }

  // MARK: - publisher(for:)

  private func checkValues<Value: Equatable>(
    _ keyPath: ReferenceWritableKeyPath<Book, Value>, _ values: [Value]
  ) throws {
    try withBook { book, _ in
      let first = book[keyPath: keyPath]
      for options: NSKeyValueObservingOptions in [
        [.initial, .new], [.new], [], [.initial], [.old],
      ] {
        book[keyPath: keyPath] = first
        var published: [Value] = []
        let subscription = book.publisher(for: keyPath, options: options)
          .sink { published.append($0) }
        for value in values { book[keyPath: keyPath] = value }
        subscription.cancel()
        book[keyPath: keyPath] = first
        #expect(published == (options.contains(.initial) ? [first] : []) + values)
      }
    }
  }

  @Test func eachTypeOfAttributeIsPublished() throws {
    try checkValues(\.title, ["B", nil, "C"])
    try checkValues(\.pages, [1, 1, 2])
    try checkValues(\.isRead, [true, false])
    try checkValues(\.bought, [Date(timeIntervalSinceReferenceDate: 0), nil])
  }

  @Test func relationshipsAndPathsArePublished() throws {
    try withBook { book, context in
      var names: [String?] = []
      var counts: [Int] = []
      let shelf = try #require(book.shelf)
      let subscriptions = [
        book.publisher(for: \.shelf?.name).sink { names.append($0) },
        shelf.publisher(for: \.books).sink { counts.append(($0 as? Set<Book>)?.count ?? 0) },
      ]
      shelf.name = "poems"
      let other = Shelf(context: context)
      other.name = "novels"
      book.shelf = other
      #expect(names == [nil, "poems", "novels"])
      #expect(counts == [1, 0])
      subscriptions.forEach { $0.cancel() }
    }
  }

  @Test func theNewestValueWaitsForDemand() throws {
    try withBook { book, _ in
      var taken: [String?] = []
      var subscription: (any Subscription)?
      book.publisher(for: \.title).subscribe(
        AnySubscriber(
          receiveSubscription: { subscription = $0 },
          receiveValue: {
            taken.append($0)
            return .none
          }, receiveCompletion: { _ in }))
      book.title = "B"
      #expect(taken == [])
      subscription?.request(.max(1))
      book.title = "C"
      book.title = "D"
      #expect(taken == ["B"])
      subscription?.request(.max(2))
      #expect(taken == ["B", "D"])
      subscription?.cancel()
    }
  }

  @Test func assigningKeepsAnotherPropertyInStep() throws {
    final class Page: ObservableObject {
      @Published var title: String?
      var heading: String?
    }
    try withBook { book, _ in
      let page = Page()
      var announced = 0
      var subscriptions: Set<AnyCancellable> = []
      page.objectWillChange.sink { announced += 1 }.store(in: &subscriptions)
      book.publisher(for: \.title).assign(to: &page.$title)
      book.publisher(for: \.title).compactMap { $0?.lowercased() }
        .assign(to: \.heading, on: page).store(in: &subscriptions)
      book.title = "B"
      #expect(page.title == "B" && page.heading == "b")
      #expect(announced == 2)
    }
  }

  // MARK: - objectWillChange

  private func announcements(
    of book: Book, _ body: () throws -> Void
  ) rethrows -> [String?] {
    var titles: [String?] = []
    let subscription = book.objectWillChange.sink { titles.append(book.title) }
    try body()
    subscription.cancel()
    return titles
  }

  @Test func aChangeIsAnnouncedBeforeIt() throws {
    try withBook { book, _ in
      #expect(announcements(of: book) { book.title = "B" } == ["A"])
      #expect(announcements(of: book) { book.pages += 1 } == ["B"])
      #expect(announcements(of: book) { book.setValue("C", forKey: "title") } == ["B"])
      #expect(announcements(of: book) {} == [])
    }
  }

  @Test func theOtherEndOfARelationshipIsAnnounced() throws {
    try withBook { book, context in
      let shelf = Shelf(context: context)
      #expect(announcements(of: book) { shelf.addToBooks(book) } == ["A"])
      #expect(
        announcements(of: book) {
          context.delete(shelf); context.processPendingChanges()
        } == ["A"])
    }
  }

  @Test func anOperationIsAnnouncedOnce() throws {
    try withBook { book, context in
      book.title = "B"
      book.pages = 5
      context.processPendingChanges()
      #expect(announcements(of: book) { context.undoManager?.undo() } == ["B"])
      #expect(announcements(of: book) { context.undoManager?.redo() } == ["A"])
      #expect(announcements(of: book) { context.rollback() } == ["B"])
      #expect(announcements(of: book) { context.refresh(book, mergeChanges: false) } == ["A"])
    }
  }

  @Test func theObjectHasOnePublisher() throws {
    try withBook { book, _ in
      let publisher = book.objectWillChange
      #expect(publisher === book.objectWillChange)
      #expect(announcements(of: book) { book.title = "B" } == ["A"])
      #expect(publisher === book.objectWillChange)
    }
  }

  @Test func publishersDoNotKeepTheObject() throws {
    try withBook { book, context in
      weak var made: Book?
      do {
        let other = Book(context: context)
        made = other
        _ = announcements(of: other) { other.title = "B" }
        context.delete(other)
        context.processPendingChanges()
        context.undoManager?.removeAllActions()
      }
      #expect(made == nil)
    }
  }

  // MARK: - Notifications

  @Test func aSaveIsPublished() throws {
    try withBook { book, context in
      var saved: [Int] = []
      let subscription = NotificationCenter.default
        .publisher(for: .NSManagedObjectContextDidSave, object: context)
        .compactMap { ($0.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.count }
        .sink { saved.append($0) }
      book.title = "B"
      try context.save()
      subscription.cancel()
      book.title = "C"
      try context.save()
      #expect(saved == [1])
    }
  }
}
