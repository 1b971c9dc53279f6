import SwiftData
import Testing

/// Values of every kind, before and after the insertion, after a save, and read by another context.
struct ModelValueTests {
  private func fill(_ book: Book) {
    book.pages = 249
    book.rating = 4.25
    book.isRead = true
    book.added = Date(timeIntervalSinceReferenceDate: 5)
    book.cover = Data([1, 2, 3])
    book.link = URL(string: "https://example.org/persuasion")
    book.price = Decimal(string: "7.99")
    book.genre = .drama
    book.state = .sold
    book.size = Size(width: 1.5, height: 2.5, unit: "cm")
    book.tags = ["a", "b"]
    book.notes = [Note(text: "x", page: 3), Note(text: "y", page: nil)]
    book.counts = ["one": 1, "two": 2]
  }

  private func expectFilled(_ book: Book, _ identifier: UUID) {
    #expect(book.title == "Persuasion")
    #expect(book.pages == 249)
    #expect(book.rating == 4.25)
    #expect(book.isRead)
    #expect(book.added == Date(timeIntervalSinceReferenceDate: 5))
    #expect(book.identifier == identifier)
    #expect(book.cover == Data([1, 2, 3]))
    #expect(book.link?.host() == "example.org")
    #expect(book.price == Decimal(string: "7.99"))
    #expect(book.genre == .drama)
    #expect(book.state == .sold)
    #expect(book.size == Size(width: 1.5, height: 2.5, unit: "cm"))
    #expect(book.tags == ["a", "b"])
    #expect(book.notes == [Note(text: "x", page: 3), Note(text: "y", page: nil)])
    #expect(book.counts == ["one": 1, "two": 2])
  }

  private func empty(_ book: Book) {
    book.cover = nil
    book.link = nil
    book.price = nil
    book.state = nil
    book.size = Size(width: 0, height: 0)
    book.tags = []
    book.notes = []
    book.counts = [:]
  }

  private func expectEmpty(_ book: Book) {
    #expect(book.cover == nil)
    #expect(book.link == nil)
    #expect(book.price == nil)
    #expect(book.state == nil)
    #expect(book.size == Size(width: 0, height: 0, unit: nil))
    #expect(book.tags.isEmpty && book.notes.isEmpty && book.counts.isEmpty)
  }

  @Test func defaultsAreTheInstances() {
    let book = Book(title: "A")
    #expect(book.pages == 0 && book.rating == 0.5 && !book.isRead && book.genre == .novel)
    #expect(book.size == Size(width: 10, height: 20) && book.tags.isEmpty && book.state == nil)
    #expect(book.identifier != Book(title: "B").identifier)
    #expect(book.modelContext == nil && !book.hasChanges && !book.isDeleted)
    #expect(book.persistentModelID == book.persistentModelID)
    #expect(book.persistentModelID.storeIdentifier == nil)
    #expect(book.persistentModelID.entityName == "Book")
  }

  @Test func aModelWithoutAContextKeepsItsValues() {
    let book = Book(title: "Persuasion")
    fill(book)
    expectFilled(book, book.identifier)
    empty(book)
    expectEmpty(book)
  }

  @Test(arguments: [true, false]) func valuesSurviveEveryStep(setsBefore: Bool) throws {
    let container = try LibraryStore.container()
    let context = ModelContext(container)
    let book = Book(title: "Persuasion")
    let identifier = book.identifier
    if setsBefore { fill(book) }
    context.insert(book)
    if !setsBefore { fill(book) }
    expectFilled(book, identifier)
    try context.save()
    expectFilled(book, identifier)

    let other = ModelContext(container)
    let read = try #require(try other.fetch(FetchDescriptor<Book>()).first)
    expectFilled(read, identifier)
    #expect(read.persistentModelID == book.persistentModelID)
    empty(read)
    expectEmpty(read)
    try other.save()
    let third = try #require(try ModelContext(container).fetch(FetchDescriptor<Book>()).first)
    expectEmpty(third)
    _ = try context.fetchCount(FetchDescriptor<Book>())
    expectEmpty(book)
  }

  @Test func aFileKeepsTheValues() throws {
    try LibraryStore.withFile { url in
      var identifier = UUID()
      try {
        let context = ModelContext(try LibraryStore.container(at: url))
        let book = Book(title: "Persuasion")
        fill(book)
        identifier = book.identifier
        context.insert(book)
        try context.save()
      }()
      let context = ModelContext(try LibraryStore.container(at: url))
      expectFilled(try #require(try context.fetch(FetchDescriptor<Book>()).first), identifier)
    }
  }

  @Test func whatIsTransientStaysWithTheInstance() throws {
    let container = try LibraryStore.container()
    let context = ModelContext(container)
    let book = Book(title: "A")
    book.opened = 3
    context.insert(book)
    #expect(book.opened == 3)
    try context.save()
    #expect(book.opened == 3)
    let again = try #require(try context.fetch(FetchDescriptor<Book>()).first)
    #expect(again === book)
    let other = try #require(try ModelContext(container).fetch(FetchDescriptor<Book>()).first)
    #expect(other.opened == 0)
  }

  @Test func aChangedModelThatNobodyHoldsIsTheSameInstanceUntilTheSave() throws {
    let context = ModelContext(try LibraryStore.container())
    context.insert(Book(title: "A"))
    try #require(try context.fetch(FetchDescriptor<Book>()).first).opened = 7
    #expect(try context.fetch(FetchDescriptor<Book>()).first?.opened == 7)
  }
}

struct Place: Codable, Equatable, Sendable {
  struct Address: Codable, Equatable, Sendable {
    var city: String
    var kind: Genre
    var state: State?
    var floors: [Int]
  }

  var name: String
  var genre: Genre
  var state: State?
  var address: Address
  var former: Address?
  var lengths: [String: Double]
}

@Model
final class House {
  var place: Place
  var other: Place?
  init(place: Place) { self.place = place }
}

/// Structures within structures, with enumerations, arrays and dictionaries inside.
struct NestedValueTests {
  @Test func theyReadBackWhole() throws {
    let container = try ModelContainer(
      for: House.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for state in [State.lent, .sold, nil] {
      for former in [nil, Place.Address(city: "B", kind: .poetry, state: nil, floors: [])] {
        let address = Place.Address(city: "A", kind: .drama, state: state, floors: [1, -2])
        let place = Place(
          name: "P", genre: .poetry, state: state, address: address, former: former,
          lengths: ["x": 1.5])
        let house = House(place: place)
        context.insert(house)
        #expect(house.place == place && house.other == nil)
        house.other = place
        try context.save()
        let id = house.persistentModelID
        let read = try #require(ModelContext(container).model(for: id) as? House)
        #expect(read.place == place && read.other == place)
      }
    }
  }
}
