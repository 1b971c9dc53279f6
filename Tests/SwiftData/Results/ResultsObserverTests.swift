import SwiftData
import Synchronization
import TestSupport
import Testing

@MainActor
struct ResultsObserverTests {
  @Test func modelsFollowTheContextAndOthers() async throws {
    let container = try LibraryStore.container()
    let context = container.mainContext
    context.insert(Book(title: "B"))
    try context.save()
    let observer = try ResultsObserver(
      FetchDescriptor<Book>(
        predicate: #Predicate { !$0.isRead }, sortBy: [SortDescriptor(\.title)]),
      in: context)
    #expect(observer.models.map(\.title) == ["B"])
    var differences = observer.differences.makeAsyncIterator()
    let changed = Mutex(0)
    withObservationTracking {
      _ = observer.models
    } onChange: {
      changed.withLock { $0 += 1 }
    }
    context.insert(Book(title: "A"))
    context.processPendingChanges()
    #expect(observer.models.map(\.title) == ["A", "B"])
    #expect(changed.withLock { $0 } == 1)
    #expect(await differences.next()?.insertions.count == 1)
    let other = ModelContext(container)
    let book = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    book.isRead = true
    try other.save()
    let difference = await differences.next()
    #expect(difference?.removals.count == 1)
    #expect(observer.models.map(\.title) == ["A"])
  }

  @Test func changesOfEveryOriginAreObserved() async throws {
    let container = try LibraryStore.container()
    let context = container.mainContext
    let author = Author(name: "Austen")
    let book = Book(title: "Emma")
    context.insert(author)
    context.insert(book)
    try context.save()
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.undoManager = manager
    let fired = Mutex<[String]>([])
    func watch(_ name: String, _ read: @escaping () -> Void) {
      withObservationTracking(read) { fired.withLock { $0.append(name) } }
    }
    func expectFired(_ names: [String]) {
      #expect(fired.withLock { $0 } == names)
      fired.withLock { $0 = [] }
    }
    watch("title") { _ = book.title }
    watch("pages") { _ = book.pages }
    manager.beginUndoGrouping()
    book.title = "E"
    expectFired(["title"])
    context.processPendingChanges()
    manager.endUndoGrouping()
    watch("books") { _ = author.books }
    manager.beginUndoGrouping()
    book.author = author
    expectFired(["books"])
    context.processPendingChanges()
    manager.endUndoGrouping()
    watch("author") { _ = book.author }
    manager.undo()
    expectFired(["author"])
    try context.save()
    watch("pages") { _ = book.pages }
    fired.withLock { $0 = [] }
    let other = ModelContext(container)
    let twin = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    twin.pages = 7
    try other.save()
    try await Patience.waiting(for: "what the other context has saved") { book.pages == 7 }
    #expect(Set(fired.withLock { $0 }) == ["pages"])
    let detached = Book(title: "D")
    fired.withLock { $0 = [] }
    watch("detached") { _ = detached.title }
    detached.pages = 3
    expectFired([])
    detached.title = "X"
    expectFired(["detached"])
  }
}
