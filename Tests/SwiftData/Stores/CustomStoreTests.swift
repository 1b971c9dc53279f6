import CoreData
import Foundation
import SwiftData
import Synchronization
import Testing

/// What a context asks of a store, and does with what it answers.
struct CustomStoreTests {
  private let probe = Probe()
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Author.self, Book.self, Shelf.self, configurations: ProbeConfiguration(probe: probe))
    context = ModelContext(container)
  }

  private func titles(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])).map(\.title)
  }

  private func identifier(_ key: Int, _ entity: String = "Book") throws -> PersistentIdentifier {
    try .identifier(for: "probe", entityName: entity, primaryKey: key)
  }

  // MARK: - Identifiers

  @Test func theStoreGivesIdentifiersAtTheSave() throws {
    let book = Book(title: "Emma", author: Author(name: "Austen"))
    context.insert(book)
    let temporary = book.persistentModelID
    #expect(temporary.storeIdentifier == nil)
    #expect(context.registeredModel(for: temporary) as Book? === book)
    try context.save()
    let id = book.persistentModelID
    #expect(id.storeIdentifier == "probe" && id != temporary)
    #expect(try [identifier(1), identifier(2)].contains(id))
    #expect(context.model(for: id) === book)
    let other = ModelContext(container)
    #expect((other.model(for: id) as? Book)?.author?.name == "Austen")
    let coded = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(id))
    #expect(coded == id && context.registeredModel(for: coded) as Book? === book)
  }

  @Test(arguments: ["a b", "a/b", "é", "100%", "", "x?y#z"])
  func identifiersTakeAnyKey(_ key: String) throws {
    probe.identify = { snapshot in
      try .identifier(
        for: "probe", entityName: snapshot.persistentIdentifier.entityName, primaryKey: key)
    }
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    let id = book.persistentModelID
    let coded = try JSONDecoder().decode(PersistentIdentifier.self, from: JSONEncoder().encode(id))
    #expect(coded == id && coded.id == id.id)
    #expect((ModelContext(container).model(for: coded) as? Book)?.title == "A")
  }

  @Test func identifiersThatMakeNoSenseAreErrors() throws {
    let wrong: [(DefaultSnapshot) throws -> PersistentIdentifier?] = [
      { _ in nil },
      { _ in try .identifier(for: "other", entityName: "Book", primaryKey: 1) },
      { _ in try .identifier(for: "probe", entityName: "Author", primaryKey: 1) },
    ]
    for identify in wrong {
      probe.identify = identify
      let context = ModelContext(container)
      context.insert(Book(title: "A"))
      #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    }
    probe.identify = { _ in try identifier(7) }
    context.insert(Book(title: "A"))
    try context.save()
    context.insert(Book(title: "B"))
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
  }

  // MARK: - Errors

  @Test func whatTheStoreThrowsReachesTheCaller() throws {
    func failing(_ request: String, _ body: () throws -> Void) {
      let failure = ProbeFailure(text: request)
      probe.failures[request] = failure
      #expect(throws: failure) { try body() }
    }
    failing("fetch") { _ = try context.fetch(FetchDescriptor<Book>()) }
    failing("count") { _ = try context.fetchCount(FetchDescriptor<Book>()) }
    failing("identifiers") { _ = try context.fetchIdentifiers(FetchDescriptor<Book>()) }
    failing("history") { _ = try context.fetchHistory(HistoryDescriptor<ProbeTransaction>()) }
    failing("erase") { try container.erase() }
    failing("open") {
      _ = try ModelContainer(for: Book.self, configurations: ProbeConfiguration(probe: probe))
    }
    let book = Book(title: "A")
    context.insert(book)
    failing("save") { try context.save() }
    #expect(context.hasChanges && book.persistentModelID.storeIdentifier == nil)
    try context.save()
    #expect(try titles(ModelContext(container)) == ["A"])
    #expect(book.persistentModelID == (try identifier(1)))
    book.title = "B"
    failing("save") { try context.save() }
    context.rollback()
    #expect(book.title == "A")
    for error in [DataStoreError.unsupportedFeature, .invalidPredicate] {
      probe.failures["fetch"] = error
      #expect(throws: error) { try context.fetch(FetchDescriptor<Book>()) }
    }
  }

  /// A property cannot throw: the model counts as gone for this context, nothing of it is written, and the next save says
  /// so once.
  @Test func valuesThatTheStoreDoesNotGiveAreThoseOfNothing() throws {
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    let other = ModelContext(container)
    let read = try #require(other.model(for: book.persistentModelID) as? Book)
    probe.snapshots = [:]
    probe.failures["fetch"] = ProbeFailure(text: "no line")
    // The snapshot is kept for whoever has the model.
    #expect(read.title == "A")
    let gone = ModelContext(
      try ModelContainer(for: Book.self, configurations: ProbeConfiguration(probe: probe)))
    let unread = try #require(gone.model(for: book.persistentModelID) as? Book)
    #expect(unread.title == "")
    let error = #expect(throws: NSError.self) { try gone.save() }
    #expect(error?.code == 134030)
    try gone.save()
  }

  // MARK: - What is asked

  @Test func theStoreIsAskedNoMoreThanItHasToBe() throws {
    for number in 0..<5 { context.insert(Book(title: "\(number)")) }
    try context.save()
    #expect(probe.log == ["open", "save"])
    let other = ModelContext(container)
    probe.log = []
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 5)
    #expect(try other.fetchIdentifiers(FetchDescriptor<Book>()).count == 5)
    var two = FetchDescriptor<Book>()
    (two.fetchLimit, two.fetchOffset) = (2, 1)
    let books = try other.fetch(two)
    #expect(books.map(\.title) == ["1", "2"])
    #expect(probe.log == ["count", "identifiers", "fetch"])
    probe.log = []
    // Once with the order, once without.
    #expect(try titles(other) == ["0", "1", "2", "3", "4"])
    #expect(probe.log == ["fetch", "fetch"])
    probe.log = []
    try other.save()
    #expect(probe.log.isEmpty)
  }

  @Test func whatTheStoreAnswersItselfIsTaken() throws {
    for number in 0..<5 { context.insert(Book(title: "\(number)")) }
    try context.save()
    let other = ModelContext(container)
    let stored = probe.snapshots.values.sorted {
      $0.persistentIdentifier > $1.persistentIdentifier
    }
    probe.log = []
    probe.answer = { filters, limit, offset in
      #expect(filters && limit == 3 && offset == 1)
      return Array(stored.prefix(2))
    }
    var descriptor = FetchDescriptor<Book>(
      predicate: #Predicate { $0.pages > 100 }, sortBy: [SortDescriptor(\.title)])
    (descriptor.fetchLimit, descriptor.fetchOffset) = (3, 1)
    // Neither filtered, nor sorted, nor cut again.
    #expect(try other.fetch(descriptor).map(\.title) == ["4", "3"])
    #expect(try other.fetchCount(descriptor) == 2)
    #expect(try other.fetchIdentifiers(descriptor).count == 2)
    #expect(probe.log == ["fetch", "count", "identifiers"])
    probe.answer = { _, _, _ in [DefaultSnapshot.ofNobody] }
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try other.fetch(FetchDescriptor<Book>())
    }
  }

  @Test func fetchesInBatchesAndEnumerations() throws {
    for number in 0..<20 { context.insert(Book(title: String(format: "%02d", number))) }
    try context.save()
    let other = ModelContext(container)
    let all = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title, order: .reverse)])
    let batches = try other.fetch(all, batchSize: 6)
    #expect(batches.count == 20 && batches[0].title == "19" && batches[19].title == "00")
    var seen: [String] = []
    try other.enumerate(all, batchSize: 7) { seen.append($0.title) }
    #expect(seen == (0..<20).reversed().map { String(format: "%02d", $0) })
  }

  @Test func whatTheStoreHasLostIsGone() throws {
    let book = Book(title: "A", author: Author(name: "Austen"))
    context.insert(book)
    try context.save()
    let author = try #require(book.author?.persistentModelID)
    probe.snapshots[author] = nil
    let other = ModelContext(container)
    let read = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(read.author?.name ?? "" == "")
    #expect((other.model(for: author) as? Author)?.name == "")
  }

  @Test func aSaveHasWhatHasChanged() throws {
    let author = Author(name: "Austen")
    let book = Book(title: "Emma", author: author)
    context.insert(book)
    try context.save()
    let saved = try #require(probe.snapshots[book.persistentModelID])
    var related: [PersistentIdentifier: any BackingData] = [:]
    let own = DefaultSnapshot(from: book.persistentBackingData, relatedBackingDatas: &related)
    #expect(try json(saved) == json(own))
    #expect(Array(related.keys) == [author.persistentModelID])
    book.author = nil
    try context.save()
    // Both sides.
    let text = try json(try #require(probe.snapshots[author.persistentModelID]))
    #expect(text.contains(#""books":[]"#))
    context.delete(author)
    try context.save()
    #expect(Array(probe.snapshots.keys) == [book.persistentModelID])
  }

  private func json(_ snapshot: DefaultSnapshot) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(snapshot), as: UTF8.self)
  }

  @Test func valuesThatTheStoreHasRevisedAreTheContexts() throws {
    let book = Book(title: "emma")
    context.insert(book)
    var related: [PersistentIdentifier: any BackingData] = [:]
    let revision = Book(title: "Emma")
    revision.pages = 7
    let values = DefaultSnapshot(
      from: revision.persistentBackingData, relatedBackingDatas: &related)
    probe.revised = { values.copy(persistentIdentifier: $0.persistentIdentifier) }
    try context.save()
    #expect(book.title == "Emma" && book.pages == 7 && !context.hasChanges)
    #expect(try titles(ModelContext(container)) == ["Emma"])
  }

  @Test func whatOthersWriteIsSeenByAFetch() throws {
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    var related: [PersistentIdentifier: any BackingData] = [:]
    probe.snapshots[book.persistentModelID] = DefaultSnapshot(
      from: Book(title: "B").persistentBackingData, relatedBackingDatas: &related
    ).copy(persistentIdentifier: book.persistentModelID)
    #expect(try titles(context) == ["B"] && book.title == "B")
    book.pages = 9
    probe.snapshots[book.persistentModelID] = DefaultSnapshot(
      from: Book(title: "C").persistentBackingData, relatedBackingDatas: &related
    ).copy(persistentIdentifier: book.persistentModelID)
    // Under what is edited.
    #expect(try titles(context) == ["C"] && book.pages == 9)
  }

  @Test func contextsSeeEachOthersSaves() throws {
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    let other = ModelContext(container)
    let seen = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    book.title = "B"
    book.shelves = [Shelf(label: "new")]
    try context.save()
    #expect(try titles(other) == ["B"] && seen.title == "B" && seen.shelves.count == 1)
    seen.pages = 3
    try other.save()
    #expect(try titles(context) == ["B"] && book.pages == 3)
    other.delete(seen)
    try other.save()
    #expect(try titles(context).isEmpty && book.title == "B")
  }

  @Test func contextsOfSeveralThreadsShareAStore() throws {
    try LibraryStore.withFile { file in
      let container = try openLibrary(at: file)
      let failures = Mutex<[String]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        let context = ModelContext(container)
        for number in 0..<10 {
          context.insert(Shelf(label: "\(thread) \(number)"))
          do {
            try context.save()
            let labels = try context.fetch(FetchDescriptor<Shelf>()).map(\.label)
            if !labels.contains("\(thread) \(number)") {
              failures.withLock { $0.append("\(thread) \(number) is missing") }
            }
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
      }
      #expect(failures.withLock { $0 } == [])
      #expect(try ModelContext(container).fetchCount(FetchDescriptor<Shelf>()) == 40)
    }
  }

  @Test func contextsBeginAndEnd() throws {
    #expect(probe.editingStates == [context.editingState.id])
    do {
      let other = ModelContext(container)
      #expect(probe.editingStates == [context.editingState.id, other.editingState.id])
    }
    #expect(probe.editingStates == [context.editingState.id])
  }

  // MARK: - Deleting, history

  @Test func aSaveOfOneBatchDeletionIsOneRequest() throws {
    for number in 0..<5 { context.insert(Book(title: "\(number)")) }
    try context.save()
    probe.log = []
    try context.delete(model: Book.self)
    #expect(try titles(context).isEmpty && probe.snapshots.count == 5)
    context.rollback()
    #expect(try titles(context).count == 5)
    try context.delete(model: Book.self)
    probe.log = []
    try context.save()
    #expect(probe.log == ["delete"] && probe.snapshots.isEmpty)
    #expect(try titles(context).isEmpty)
  }

  @Test func batchDeletionsWithMoreToSaveAreSavedModelByModel() throws {
    for number in 0..<5 { context.insert(Book(title: "\(number)")) }
    try context.save()
    try context.delete(model: Book.self)
    context.insert(Shelf(label: "new"))
    probe.log = []
    try context.save()
    #expect(probe.log == ["save"] && probe.snapshots.count == 1)
    // The store would rather not filter.
    for number in 0..<5 { context.insert(Book(title: "\(number)")) }
    try context.save()
    try context.delete(model: Book.self, where: #Predicate { $0.title != "3" })
    probe.log = []
    try context.save()
    #expect(probe.log == ["delete", "save"])
    #expect(try titles(context) == ["3"])
  }

  @Test func historiesAreTheStores() throws {
    context.author = "me"
    context.insert(Book(title: "A"))
    try context.save()
    let history = try context.fetchHistory(HistoryDescriptor<ProbeTransaction>())
    #expect(history.map(\.author) == ["me"])
    try context.deleteHistory(HistoryDescriptor<ProbeTransaction>())
    #expect(try context.fetchHistory(HistoryDescriptor<ProbeTransaction>()).isEmpty)
    #expect(throws: (any Error).self) {
      try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
  }

  @Test func erasingErasesTheStore() throws {
    context.insert(Book(title: "A"))
    try context.save()
    try container.erase()
    #expect(probe.snapshots.isEmpty)
  }

  // MARK: - Several stores

  @Test func customAndDefaultStoresShareAContainer() throws {
    let probe = Probe()
    try LibraryStore.withFile { file in
      let library = Schema([Author.self, Book.self, Shelf.self])
      let animals = Schema([Animal.self, Dog.self, Puppy.self, Keeper.self])
      let all = Schema([
        Author.self, Book.self, Shelf.self, Animal.self, Dog.self, Puppy.self, Keeper.self,
      ])
      func open() throws -> ModelContainer {
        try ModelContainer(
          for: all,
          configurations: [
            ModelConfiguration(schema: library, url: file),
            ProbeConfiguration(schema: animals, probe: probe),
          ])
      }
      let container = try open()
      #expect(container.configurations.map(\.url) == [file])
      let context = ModelContext(container)
      context.insert(Book(title: "Emma"))
      let keeper = Keeper(name: "K")
      let puppy = Puppy(name: "P")
      puppy.owner = keeper
      context.insert(puppy)
      context.insert(Dog(name: "D", tricks: 2))
      try context.save()
      #expect(probe.snapshots.count == 3)
      let again = ModelContext(try open())
      #expect(try again.fetch(FetchDescriptor<Book>()).map(\.title) == ["Emma"])
      #expect(try again.fetch(FetchDescriptor<Puppy>()).map(\.owner?.name) == ["K"])
      #expect(try again.fetch(FetchDescriptor<Keeper>()).count == 1)
      let names = try again.fetch(FetchDescriptor<Book>()).map(\.persistentModelID.storeIdentifier)
      #expect(names != ["probe"])
    }
  }

  @Test func namesOfConfigurationsAreSingle() {
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Book.self,
        configurations: ProbeConfiguration(probe: probe), ProbeConfiguration(probe: Probe()))
    }
  }

  @MainActor @Test func listsFollowACustomStore() throws {
    let container = try ModelContainer(
      for: Book.self, configurations: ProbeConfiguration(probe: probe))
    let context = container.mainContext
    context.autosaveEnabled = false
    context.insert(Book(title: "B"))
    try context.save()
    let observer = try ResultsObserver(
      FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: context)
    context.insert(Book(title: "A"))
    try context.save()
    #expect(observer.models.map(\.title) == ["A", "B"])
  }
}

extension DefaultSnapshot {
  /// Of a model that no store has.
  fileprivate static var ofNobody: DefaultSnapshot {
    var related: [PersistentIdentifier: any BackingData] = [:]
    return DefaultSnapshot(
      from: Book(title: "").persistentBackingData, relatedBackingDatas: &related)
  }
}
