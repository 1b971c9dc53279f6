import SwiftData
import TestSupport
import Testing

struct ContextTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try LibraryStore.container()
    context = ModelContext(container)
  }

  private func titles(_ context: ModelContext) throws -> [String] {
    try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)])).map(\.title)
  }

  @Test func changesAreKnownUntilTheSave() throws {
    let book = Book(title: "A")
    #expect(!context.hasChanges)
    context.insert(book)
    #expect(context.hasChanges && context.insertedModelsArray.count == 1 && book.hasChanges)
    #expect(book.persistentModelID.storeIdentifier == nil)
    let temporary = book.persistentModelID
    try context.save()
    #expect(!context.hasChanges && context.insertedModelsArray.isEmpty)
    #expect(book.persistentModelID.storeIdentifier != nil)
    #expect(book.persistentModelID != temporary)
    book.title = "B"
    #expect(context.changedModelsArray.count == 1 && context.hasChanges)
    context.rollback()
    #expect(book.title == "A" && !context.hasChanges)
    context.insert(Book(title: "C"))
    context.rollback()
    #expect(try titles(context) == ["A"])
  }

  @Test func contextsSeeEachOthersSaves() throws {
    let other = ModelContext(container)
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    let seen = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    book.title = "B"
    try context.save()
    #expect(try titles(other) == ["B"])
    #expect(seen.title == "B")
    other.delete(seen)
    try other.save()
    #expect(try titles(context).isEmpty)
    #expect(book.title == "B" && book.modelContext == nil)
  }

  @MainActor @Test func theMainContextSavesByItself() async throws {
    let main = container.mainContext
    #expect(main === container.mainContext && main.autosaveEnabled)
    main.insert(Book(title: "A"))
    try await Patience.waiting(for: "the save") { !main.hasChanges }
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Book>()) == 1)
  }

  /// A test that is not of the main actor and takes the main context along: what it changes is there
  /// once, and is saved when somebody saves.
  @Test func whatTheMainContextHasElsewhereIsNotSavedMeanwhile() async throws {
    struct Carried: @unchecked Sendable { let context: ModelContext }
    let container = container
    let context = await MainActor.run { Carried(context: container.mainContext) }.context
    for number in 1...50 {
      context.insert(Book(title: "\(number)"))
      #expect(try context.fetchCount(FetchDescriptor<Book>()) == number)
      #expect(try context.fetch(FetchDescriptor<Book>()).count == number)
      await MainActor.run {}
      #expect(context.hasChanges)
    }
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Book>()) == 50)
  }

  @Test func uniqueValuesMakeANewModelTakeTheOldOnesPlace() throws {
    let first = Author(name: "Austen")
    first.books = [Book(title: "Emma")]
    context.insert(first)
    try context.save()
    let second = Author(name: "Austen", born: Date(timeIntervalSinceReferenceDate: 9))
    context.insert(second)
    try context.save()
    let authors = try ModelContext(container).fetch(FetchDescriptor<Author>())
    #expect(authors.count == 1)
    #expect(authors.first?.born == Date(timeIntervalSinceReferenceDate: 9))
    let other = ModelContext(container)
    for _ in 0..<2 { other.insert(Author(name: "Eliot")) }
    try other.save()
    #expect(try other.fetchCount(FetchDescriptor<Author>()) == 2)
  }

  @Test func modelsAreFoundByIdentifier() throws {
    let book = Book(title: "A")
    context.insert(book)
    #expect(context.registeredModel(for: book.persistentModelID) as Book? === book)
    let temporary = book.persistentModelID
    try context.save()
    let id = book.persistentModelID
    #expect(context.model(for: id) === book)
    let coded = try JSONDecoder().decode(
      PersistentIdentifier.self, from: JSONEncoder().encode(id))
    #expect(coded == id && coded.hashValue == id.hashValue)
    let other = ModelContext(container)
    #expect(other.registeredModel(for: coded) as Book? == nil)
    #expect((other.model(for: coded) as? Book)?.title == "A")
    #expect(temporary != id)
    context.delete(book)
    try context.save()
    #expect((ModelContext(container).model(for: id) as? Book)?.title == "")
  }

  @Test func fetchesCountLimitAndEnumerate() throws {
    for number in 0..<20 { context.insert(Book(title: String(format: "%02d", number))) }
    try context.save()
    var descriptor = FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title, order: .reverse)])
    descriptor.fetchLimit = 3
    descriptor.fetchOffset = 2
    #expect(try context.fetch(descriptor).map(\.title) == ["17", "16", "15"])
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 20)
    #expect(try context.fetchIdentifiers(descriptor).count == 3)
    let batches = try context.fetch(
      FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), batchSize: 6)
    #expect(batches.count == 20 && batches[19].title == "19")
    var seen: [String] = []
    try context.enumerate(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), batchSize: 7) {
      seen.append($0.title)
    }
    #expect(seen.count == 20 && seen.first == "00" && seen.last == "19")
    #expect(throws: SwiftDataError.modelValidationFailure) {
      try context.enumerate(FetchDescriptor<Book>()) { $0.pages = 1 }
    }
    context.rollback()
    try context.enumerate(FetchDescriptor<Book>(), allowEscapingMutations: true) { $0.pages = 1 }
    #expect(context.changedModelsArray.count == 20)
    #expect(throws: SwiftDataError.includePendingChangesWithBatchSize) {
      try context.fetch(FetchDescriptor<Book>(), batchSize: 5)
    }
  }

  @Test func deletingAClassWaitsForTheSave() throws {
    for number in 0..<5 { context.insert(Book(title: "\(number)")) }
    try context.save()
    try context.delete(model: Book.self)
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Book>()) == 5)
    context.rollback()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 5)
    try context.delete(model: Book.self)
    try context.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Book>()) == 0)
  }

  @Test func transactionsSaveOrThrow() throws {
    struct Stop: Error {}
    try context.transaction { context.insert(Book(title: "A")) }
    #expect(try titles(ModelContext(container)) == ["A"])
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Book(title: "B"))
        throw Stop()
      }
    }
    #expect(try titles(ModelContext(container)) == ["A"])
  }

  @Test func undoTakesBackAndRedoes() throws {
    let manager = UndoManager()
    manager.groupsByEvent = false
    context.undoManager = manager
    let book = Book(title: "A")
    manager.beginUndoGrouping()
    context.insert(book)
    context.processPendingChanges()
    manager.endUndoGrouping()
    manager.beginUndoGrouping()
    book.title = "B"
    context.processPendingChanges()
    manager.endUndoGrouping()
    manager.undo()
    #expect(book.title == "A")
    manager.redo()
    #expect(book.title == "B")
    manager.undo()
    manager.undo()
    #expect(try titles(context).isEmpty)
  }

  @Test func savesArePosted() throws {
    nonisolated(unsafe) var posted: [(Notification.Name, [String: Int])] = []
    let observers = [ModelContext.willSave, ModelContext.didSave].map { name in
      NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
        let info = $0.userInfo as? [String: [PersistentIdentifier]] ?? [:]
        posted.append(($0.name, info.mapValues(\.count).filter { $0.value > 0 }))
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    let book = Book(title: "A")
    context.insert(book)
    try context.save()
    book.pages = 3
    try context.save()
    context.delete(book)
    try context.save()
    #expect(
      posted.map(\.0)
        == Array(repeating: [ModelContext.willSave, ModelContext.didSave], count: 3).flatMap { $0 })
    #expect(posted[1].1 == ["insertedIdentifiers": 1])
    #expect(posted[3].1 == ["updatedIdentifiers": 1])
    #expect(posted[5].1 == ["deletedIdentifiers": 1])
  }

  /// What a save refuses, with Core Data's codes; what was refused is still there, and can be put right.
  @Test(arguments: ValidationCase.allCases)
  func validationIsCoreDatas(_ wrong: ValidationCase) throws {
    let container = try ModelContainer(
      for: Club.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let club = Club()
    let members = (0..<3).map { _ in Member() }
    club.members =
      wrong == .tooFew ? [members[0]] : wrong == .tooMany ? members : Array(members.prefix(2))
    context.insert(club)
    if wrong == .missing || wrong == .denied {
      let outsider = Member()
      context.insert(Badge(owner: outsider))
      try context.save()
      if wrong == .denied { context.delete(club) } else { context.delete(outsider) }
    }
    let error = #expect(throws: NSError.self) { try context.save() }
    let codes =
      (error?.userInfo["NSDetailedErrors"] as? [NSError])?.map(\.code) ?? [error?.code ?? 0]
    #expect(codes.contains(wrong.rawValue), "\(codes)")
    #expect(context.hasChanges)
    context.rollback()
    #expect(!context.hasChanges)
  }

  enum ValidationCase: Int, CaseIterable {
    case missing = 1570
    case tooFew = 1580
    case tooMany = 1590
    case denied = 1600
  }

  /// A new model takes the row of the stored one: its attributes win, a relationship that it does not set stays.
  @Test(arguments: [false, true], [false, true]) func anUpsertKeepsTheRelationshipsThatItDoesNotSet(
    setsOwn: Bool, knowsTheFirst: Bool
  ) throws {
    let first = Author(name: "Austen", born: Date(timeIntervalSinceReferenceDate: 1))
    first.books = [Book(title: "Emma")]
    context.insert(first)
    try context.save()
    let id = first.persistentModelID
    let other = knowsTheFirst ? context : ModelContext(container)
    let second = Author(name: "Austen")
    if setsOwn { second.books = [Book(title: "Persuasion")] }
    other.insert(second)
    try other.save()
    let authors = try ModelContext(container).fetch(FetchDescriptor<Author>())
    #expect(authors.count == 1)
    #expect(authors.first?.persistentModelID == id)
    #expect(authors.first?.born == nil)
    let titles = Set(authors.first?.books.map(\.title) ?? [])
    #expect(titles == (setsOwn ? ["Emma", "Persuasion"] : ["Emma"]))
    #expect(second.persistentModelID == id && second.modelContext === other)
    // Both are models of the row now.
    second.born = Date(timeIntervalSinceReferenceDate: 2)
    try other.save()
    #expect(first.modelContext === context && second.name == "Austen")
    context.processPendingChanges()
    #expect(first.born == second.born)
  }
}

@Model
final class Club {
  @Relationship(
    deleteRule: .deny, minimumModelCount: 2, maximumModelCount: 2, inverse: \Member.club)
  var members: [Member] = []
  init() {}
}

@Model
final class Member {
  var club: Club?
  @Relationship(inverse: \Badge.owner) var badges: [Badge] = []
  init() {}
}

@Model
final class Badge {
  var owner: Member
  init(owner: Member) { self.owner = owner }
}

@ModelActor
actor Librarian {
  func add(_ title: String) throws -> PersistentIdentifier {
    let book = Book(title: title)
    modelContext.insert(book)
    try modelContext.save()
    return book.persistentModelID
  }

  func title(of id: PersistentIdentifier) -> String? { self[id, as: Book.self]?.title }

  func isOnMainThread() -> Bool { Thread.isMainThread }
}

struct ModelActorTests {
  @MainActor @Test func anActorWorksOnItsOwnQueueWhereverItWasMade() async throws {
    let container = try LibraryStore.container()
    let librarian = Librarian(modelContainer: container)
    #expect(await !librarian.isOnMainThread())
    let id = try await librarian.add("A")
    #expect(await librarian.title(of: id) == "A")
    #expect((container.mainContext.model(for: id) as? Book)?.title == "A")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 { group.addTask { _ = try await librarian.add("\(number)") } }
      try await group.waitForAll()
    }
    #expect(try container.mainContext.fetchCount(FetchDescriptor<Book>()) == 51)
  }
}
