import SwiftData
import Testing

/// Both sides of relationships, in every order of making and inserting.
struct RelationshipTests {
  @Test func bothSidesHoldWithoutAContext() {
    let author = Author(name: "Austen")
    let book = Book(title: "Emma")
    book.author = author
    #expect(author.books.map(\.title) == ["Emma"])
    let other = Author(name: "Eliot")
    other.books = [book]
    #expect(book.author === other)
    #expect(author.books.isEmpty)
    other.books.removeAll()
    #expect(book.author == nil)
    let shelf = Shelf(label: "A")
    shelf.books.append(book)
    #expect(book.shelves.map(\.label) == ["A"])
    book.shelves = []
    #expect(shelf.books.isEmpty)
  }

  /// Parent and children: who is inserted, when they are related, which side is set.
  @Test(arguments: [0, 1, 2, 3, 4, 5, 6])
  func bothSidesHoldHoweverTheyCameTogether(way: Int) throws {
    let container = try LibraryStore.container()
    let context = ModelContext(container)
    let author = Author(name: "Austen")
    let books = ["Emma", "Persuasion", "Sanditon"].map { Book(title: $0) }
    switch way {
    case 0:
      author.books = books
      context.insert(author)
    case 1:
      context.insert(author)
      author.books = books
    case 2:
      context.insert(author)
      for book in books { author.books.append(book) }
    case 3:
      context.insert(author)
      for book in books { book.author = author }
    case 4:
      for book in books { book.author = author }
      context.insert(books[0])
    case 5:
      for book in books { context.insert(book) }
      for book in books { book.author = author }
    default:
      for book in books { context.insert(book) }
      context.insert(author)
      author.books = books
    }
    #expect(author.modelContext === context)
    for book in books {
      #expect(book.modelContext === context)
      #expect(book.author === author)
    }
    #expect(Set(author.books.map(\.title)) == ["Emma", "Persuasion", "Sanditon"])
    try context.save()
    #expect(author.books.count == 3)
    let read = try #require(
      try ModelContext(container).fetch(FetchDescriptor<Author>()).first)
    #expect(Set(read.books.map(\.title)) == ["Emma", "Persuasion", "Sanditon"])
    #expect(read.books.allSatisfy { $0.author === read })
  }

  @Test func anInitialiserWithARelationshipIsInsertedWithIt() throws {
    let container = try LibraryStore.container()
    let context = ModelContext(container)
    let author = Author(name: "Austen")
    context.insert(author)
    let book = Book(title: "Emma", author: author)
    context.insert(book)
    #expect(author.books.map(\.title) == ["Emma"])
    let shelf = Shelf(label: "A", books: [book])
    context.insert(shelf)
    #expect(book.shelves.map(\.label) == ["A"])
    try context.save()
    let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Book>()).first)
    #expect(read.author?.name == "Austen")
    #expect(read.shelves.first?.label == "A")
  }

  @Test func membersKeepTheOrderOfTheirMaking() throws {
    let container = try LibraryStore.container()
    let context = ModelContext(container)
    let author = Author(name: "A")
    author.books = (0..<50).map { Book(title: "\($0)") }
    context.insert(author)
    let titles = (0..<50).map(String.init)
    #expect(author.books.map(\.title) == titles)
    try context.save()
    #expect(author.books.map(\.title) == titles)
    let read = try #require(try ModelContext(container).fetch(FetchDescriptor<Author>()).first)
    #expect(read.books.map(\.title) == titles)
  }

  @Test func deleteRulesAct() throws {
    let context = ModelContext(try LibraryStore.container())
    let author = Author(name: "Austen")
    let shelf = Shelf(label: "A")
    author.books = [Book(title: "Emma"), Book(title: "Persuasion")]
    context.insert(author)
    shelf.books = author.books
    try context.save()
    context.delete(author)
    #expect(author.isDeleted)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Book>()) == 0)
    #expect(shelf.books.isEmpty)
  }

  @Test func aDeletedModelKeepsItsLastValues() throws {
    let container = try LibraryStore.container()
    let context = ModelContext(container)
    let book = Book(title: "Emma", author: Author(name: "Austen"))
    book.tags = ["x"]
    context.insert(book)
    try context.save()
    let other = ModelContext(container)
    let seen = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    #expect(seen.title == "Emma")
    context.delete(book)
    #expect(book.isDeleted && book.title == "Emma")
    #expect(context.deletedModelsArray.count == 1)
    try context.save()
    #expect(!book.isDeleted && book.modelContext == nil)
    #expect(book.title == "Emma" && book.tags == ["x"])
    book.title = "Late"
    #expect(book.title == "Late")
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 0)
    #expect(seen.title == "Emma")
    context.insert(book)
    try context.save()
    #expect(try other.fetch(FetchDescriptor<Book>()).map(\.title) == ["Late"])
  }

  @Test func modelsOfTwoContextsAreRelatedByTheirRows() throws {
    let container = try LibraryStore.container()
    let (one, two) = (ModelContext(container), ModelContext(container))
    let author = Author(name: "Austen")
    one.insert(author)
    try one.save()
    let book = Book(title: "Emma")
    two.insert(book)
    book.author = author
    try two.save()
    #expect(book.author?.name == "Austen" && book.author !== author)
    _ = try one.fetchCount(FetchDescriptor<Book>())
    #expect(author.books.map(\.title) == ["Emma"])
    let unsaved = Author(name: "New")
    one.insert(unsaved)
    book.author = unsaved
    #expect(throws: SwiftDataError.missingModelContext) { try two.save() }
  }
}
