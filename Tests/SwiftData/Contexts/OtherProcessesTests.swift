import CoreData
import Foundation
import SwiftData
import TestSupport
import Testing

/// What others save to a file, who have a coordinator of their own as another process has.
@MainActor struct OtherProcessesTests {
  private let folder: TestFolder
  private let container: ModelContainer
  private let others: ModelContext

  init() throws {
    folder = try TestFolder()
    let configuration = ModelConfiguration(url: folder.url.appendingPathComponent("Books.store"))
    container = try ModelContainer(
      for: Book.self, Author.self, configurations: configuration)
    others = ModelContext(
      try ModelContainer(for: Book.self, Author.self, configurations: configuration))
  }

  private func book(_ title: String, in context: ModelContext) throws -> Book {
    try #require(
      try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == title })).first)
  }

  @Test func theMainContextShowsThemWithoutBeingAsked() async throws {
    let main = container.mainContext
    let seen = try ResultsObserver(
      FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]), in: main)
    others.insert(Book(title: "Emma"))
    others.insert(Book(title: "Persuasion"))
    try others.save()
    try await Patience.waiting(for: "insertions") { seen.models.count == 2 }
    let emma = try #require(seen.models.first)
    #expect(emma.title == "Emma")

    try book("Emma", in: others).title = "Emma, or the Matchmaker"
    try others.save()
    try await Patience.waiting(for: "an edit") { emma.title == "Emma, or the Matchmaker" }

    try book("Emma, or the Matchmaker", in: others).author = Author(name: "Austen")
    try others.save()
    try await Patience.waiting(for: "a relationship") { emma.author?.name == "Austen" }

    others.delete(try book("Persuasion", in: others))
    try others.save()
    try await Patience.waiting(for: "a deletion") { seen.models.count == 1 }
    // A merge may be under way just now.
    try await Patience.waiting(for: "no changes of its own") { !main.hasChanges }
  }

  @Test func aContextMadeByHandShowsThemWhenItIsNextUsed() async throws {
    let own = ModelContext(container)
    own.insert(Book(title: "Emma"))
    try own.save()
    let emma = try book("Emma", in: own)
    try book("Emma", in: others).title = "Emma, or the Matchmaker"
    try others.save()
    try await Patience.waiting(for: "the edit") {
      own.processPendingChanges()
      return emma.title == "Emma, or the Matchmaker"
    }
    others.delete(try book("Emma, or the Matchmaker", in: others))
    try others.save()
    try await Patience.waiting(for: "the deletion") {
      own.processPendingChanges()
      return emma.modelContext == nil
    }
  }

  @Test(arguments: [true, false]) func anEditThatIsNotSavedYetStays(sameProperty: Bool) async throws
  {
    let main = container.mainContext
    main.autosaveEnabled = false
    main.insert(Book(title: "Emma"))
    try main.save()
    let emma = try book("Emma", in: main)
    emma.title = "mine"
    let theirs = try book("Emma", in: others)
    if sameProperty { theirs.title = "theirs" } else { theirs.pages = 400 }
    others.insert(Book(title: "Persuasion"))
    try others.save()
    try await Patience.waiting(for: "what is new") {
      try main.fetchCount(FetchDescriptor<Book>()) == 2
    }
    #expect(emma.title == "mine")
    try main.save()
    #expect(emma.pages == (sameProperty ? Book(title: "").pages : 400))
    #expect(
      try ModelContext(container).fetch(FetchDescriptor<Book>()).contains { $0.title == "mine" })
  }

  /// What goes along with a deletion, since another process has added it in the moment before.
  @Test func anUndoneDeletionComesBackWithWhatWasJustAdded() async throws {
    let own = ModelContext(container)
    own.autosaveEnabled = false
    own.managedObjectContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let author = Author(name: "Austen")
    own.insert(author)
    own.insert(Book(title: "Emma", author: author))
    try own.save()
    own.undoManager = UndoManager()
    own.delete(author)
    own.processPendingChanges()
    own.undoManager?.endEvent()
    let theirs = try #require(try others.fetch(FetchDescriptor<Author>()).first)
    others.insert(Book(title: "Persuasion", author: theirs))
    try others.save()
    try own.save()
    let reader = ModelContext(container)
    #expect(try reader.fetchCount(FetchDescriptor<Book>()) == 0)
    own.undoManager?.undo()
    try own.save()
    let after = ModelContext(container)
    let books = try after.fetch(
      FetchDescriptor<Book>(sortBy: [SortDescriptor(\.title)]))
    withExtendedLifetime(after) {
      #expect(books.map(\.title) == ["Emma", "Persuasion"])
      #expect(books.allSatisfy { $0.author?.name == "Austen" })
    }
  }

  @Test func whatThisProcessSavesIsNotMergedTwice() async throws {
    let main = container.mainContext
    var changes = 0
    let observer = NotificationCenter.default.addObserver(
      forName: .init("NSObjectsChangedInManagingContextNotification"),
      object: main.managedObjectContext, queue: nil
    ) { _ in MainActor.assumeIsolated { changes += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    let own = ModelContext(container)
    own.insert(Book(title: "Emma"))
    try own.save()
    others.insert(Book(title: "Persuasion"))
    try others.save()
    try await Patience.waiting(for: "both") { changes >= 2 }
    #expect(changes == 2)
  }

  @Test func nothingIsFollowedWhereTheConfigurationSaysSo() async throws {
    var configuration = ModelConfiguration(url: folder.url.appendingPathComponent("Books.store"))
    configuration.followsOtherProcesses = false
    let deaf = try ModelContainer(
      for: Book.self, Author.self, configurations: configuration)
    others.insert(Book(title: "Emma"))
    try others.save()
    let emma = try book("Emma", in: deaf.mainContext)
    let follower = try book("Emma", in: container.mainContext)
    try book("Emma", in: others).title = "another"
    try others.save()
    try await Patience.waiting(for: "who follows") { follower.title == "another" }
    #expect(emma.title == "Emma")
  }

  /// A copy of the file is whole, since the log is in it.
  @Test(arguments: [true, false]) func aContainerThatIsGoneHasClosedItsFiles(follows: Bool) throws {
    let url = folder.url.appendingPathComponent("Closed.store")
    for round in 0..<50 {
      do {
        var configuration = ModelConfiguration(url: url)
        configuration.followsOtherProcesses = follows
        let context = ModelContext(
          try ModelContainer(for: Book.self, Author.self, configurations: configuration))
        context.insert(Book(title: "\(round)"))
        try context.save()
      }
      let size = (try? Data(contentsOf: url).count) ?? -1
      #expect(
        !FileManager.default.fileExists(atPath: url.path + "-wal"),
        "round \(round) \(follows) \(size)")
    }
  }
}
