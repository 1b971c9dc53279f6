import Foundation
import SwiftData
import TestSupport

/// One container of two that are to be the same: on the default store, or on the one in JSON.
final class StoreWorld {
  enum Kind: CaseIterable { case standard, json }

  private let kind: Kind
  private let folder: URL
  private(set) var container: ModelContainer
  private(set) var context: ModelContext

  init(_ kind: Kind, in folder: URL) throws {
    self.kind = kind
    self.folder = folder
    container = try Self.container(kind, folder)
    context = ModelContext(container)
  }

  static func container(_ kind: Kind, _ folder: URL) throws -> ModelContainer {
    switch kind {
    case .standard:
      let schema = Schema([Author.self, Book.self, Shelf.self])
      return try ModelContainer(
        for: schema,
        configurations: ModelConfiguration(
          schema: schema, url: folder.appendingPathComponent("library.store")))
    case .json:
      return try openLibrary(at: folder.appendingPathComponent("library.json"))
    }
  }

  func reopen() throws {
    context = ModelContext(try Self.container(kind, folder))
    container = context.container
  }

  func beginAnew() { context = ModelContext(container) }

  func book(_ title: String) throws -> Book? {
    try context.fetch(FetchDescriptor<Book>(predicate: #Predicate { $0.title == title })).first
  }

  func author(_ name: String) throws -> Author? {
    try context.fetch(FetchDescriptor<Author>(predicate: #Predicate { $0.name == name })).first
  }

  func shelf(_ label: String) throws -> Shelf? {
    try context.fetch(FetchDescriptor<Shelf>(predicate: #Predicate { $0.label == label })).first
  }

  /// All that the context has, in words.
  func description() throws -> [String] {
    let books = try context.fetch(FetchDescriptor<Book>()).map(Self.text)
    let authors = try context.fetch(FetchDescriptor<Author>()).map { author in
      "author \(author.name) \(Self.text(author.born)): \(author.books.map(\.title).sorted())"
    }
    let shelves = try context.fetch(FetchDescriptor<Shelf>()).map { shelf in
      "shelf \(shelf.label): \(shelf.books.map(\.title).sorted())"
    }
    return (books + authors + shelves).sorted()
  }

  private static func text(_ book: Book) -> String {
    let parts: [String] = [
      book.title, "\(book.pages)", "\(book.rating)", "\(book.isRead)",
      text(book.added), book.identifier.uuidString, "\(book.cover.map { Array($0) } ?? [])",
      "\(book.link?.absoluteString ?? "nil")", "\(book.price.map { "\($0)" } ?? "nil")",
      "\(book.genre)", "\(book.state.map { "\($0)" } ?? "nil")",
      "\(book.size.width) \(book.size.height) \(book.size.unit ?? "nil")", "\(book.tags)",
      "\(book.notes.map { "\($0.text) \($0.page ?? -1)" })",
      "\(book.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })",
      "by \(book.author?.name ?? "nil")", "on \(book.shelves.map(\.label).sorted())",
    ]
    return "book " + parts.joined(separator: ", ")
  }

  private static func text(_ date: Date?) -> String {
    date.map { "\($0.timeIntervalSinceReferenceDate)" } ?? "nil"
  }
}

/// What is done to both worlds, at random.
struct StoreOperations {
  private var random: SplitMix64
  private var titles: [String] = []
  private var names: [String] = []
  private var labels: [String] = []
  private var made = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[next(elements.count)]
  }

  /// A step in words, and what it does to a world.
  struct Step {
    let words: String
    let run: (StoreWorld) throws -> Void
  }

  mutating func step() -> Step {
    if titles.isEmpty || names.isEmpty || labels.isEmpty { return insertion() }
    switch next(16) {
    case 0, 1, 2: return insertion()
    case 3, 4, 5, 6: return edit()
    case 7, 8, 9: return relation()
    case 10: return deletion()
    case 11, 12, 13: return Step(words: "save") { try $0.context.save() }
    case 14:
      return next(3) == 0
        ? Step(words: "rollback") { $0.context.rollback() }
        : Step(words: "save, new context") {
          try $0.context.save()
          $0.beginAnew()
        }
    default:
      return Step(words: "save, reopen") {
        try $0.context.save()
        try $0.reopen()
      }
    }
  }

  private mutating func insertion() -> Step {
    made += 1
    let number = made
    switch next(3) {
    case 0:
      let name = "author \(number)"
      let born = next(3) == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(next(9)) / 8)
      names.append(name)
      return Step(words: "insert \(name)") { $0.context.insert(Author(name: name, born: born)) }
    case 1 where !labels.isEmpty:
      let title = "book \(number)"
      let change = change()
      let name = next(3) == 0 ? names.last : nil
      let uuid = UUID(uuid: (UInt8(number % 256), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
      titles.append(title)
      return Step(words: "insert \(title) by \(name ?? "nobody") with \(change.words)") { world in
        let book = Book(title: title)
        book.identifier = uuid
        change.run(book)
        // Related before or after it is inserted.
        if let name, number % 2 == 0 { book.author = try world.author(name) }
        world.context.insert(book)
        if let name, number % 2 == 1 { book.author = try world.author(name) }
      }
    default:
      let label = "shelf \(number)"
      let title = titles.last
      labels.append(label)
      return Step(words: "insert \(label) of \(title ?? "nothing")") { world in
        let books = try title.flatMap { try world.book($0) }.map { [$0] } ?? []
        world.context.insert(Shelf(label: label, books: books))
      }
    }
  }

  private mutating func edit() -> Step {
    let title = one(of: titles)
    let change = change()
    return Step(words: "\(title): \(change.words)") { world in
      if let book = try world.book(title) { change.run(book) }
    }
  }

  /// Each type of property gets other values.
  private mutating func change() -> (words: String, run: (Book) -> Void) {
    let number = next(7)
    let kind = next(14)
    return (
      "property \(kind) to \(number)",
      { book in
        switch kind {
        case 0: book.pages = number - 2
        case 1:
          book.rating = [0.1, 1 / 3, -1e300, Double.leastNonzeroMagnitude, 0, 2.5, 1e22][number]
        case 2: book.isRead = number % 2 == 0
        case 3: book.added = Date(timeIntervalSinceReferenceDate: Double(number) * 0.1 - 0.3)
        case 4: book.cover = number == 0 ? nil : Data((0..<number).map { UInt8($0 * 40) })
        case 5: book.link = number == 0 ? nil : URL(string: "https://example.org/\(number)?a=b")
        case 6: book.price = number == 0 ? nil : Decimal(string: "\(number).10")
        case 7: book.genre = Genre.allCases[number % 3]
        case 8: book.state = [nil, .lent, .lost, .sold][number % 4]
        case 9:
          book.size = Size(
            width: Double(number) / 7, height: 0, unit: number % 2 == 0 ? nil : "cm")
        case 10: book.tags = (0..<number % 4).map { "tag \"\($0)\"\n\u{1F600}" }
        case 11: book.notes = (0..<number % 3).map { Note(text: "n", page: $0 == 0 ? nil : $0) }
        case 12: book.counts = number == 0 ? [:] : ["a": number, "\u{E9}": -number]
        default:
          book.identifier = UUID(uuid: (1, 2, 3, UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))
        }
      }
    )
  }

  private mutating func relation() -> Step {
    let (title, name, label) = (one(of: titles), one(of: names), one(of: labels))
    switch next(6) {
    case 0:
      return Step(words: "\(title).author = nil") { try $0.book(title)?.author = nil }
    case 1, 2:
      return Step(words: "\(title).author = \(name)") { world in
        try world.book(title)?.author = try world.author(name)
      }
    case 3:
      return Step(words: "\(name).books = [\(title)]") { world in
        guard let book = try world.book(title) else { return }
        try world.author(name)?.books = [book]
      }
    case 4:
      return Step(words: "\(label).books without \(title)") { world in
        try world.shelf(label)?.books.removeAll { $0.title == title }
      }
    default:
      return Step(words: "\(title).shelves with \(label)") { world in
        guard let book = try world.book(title), let shelf = try world.shelf(label),
          !book.shelves.contains(shelf)
        else { return }
        book.shelves.append(shelf)
      }
    }
  }

  private mutating func deletion() -> Step {
    let (title, name, label) = (one(of: titles), one(of: names), one(of: labels))
    switch next(4) {
    case 0:
      return Step(words: "delete \(name)") { world in
        if let author = try world.author(name) { world.context.delete(author) }
      }
    case 1:
      return Step(words: "delete \(label)") { world in
        if let shelf = try world.shelf(label) { world.context.delete(shelf) }
      }
    case 2:
      return Step(words: "delete all books named \(title)") { world in
        try world.context.delete(model: Book.self, where: #Predicate { $0.title == title })
      }
    default:
      return Step(words: "delete \(title)") { world in
        if let book = try world.book(title) { world.context.delete(book) }
      }
    }
  }

  // MARK: - Questions

  static var predicates: [(words: String, predicate: Predicate<Book>?)] {
    let date = Date(timeIntervalSinceReferenceDate: 0.05)
    return [
      ("none", nil),
      ("pages", #Predicate { $0.pages > 1 }),
      ("text", #Predicate { $0.title.contains("1") }),
      ("nil", #Predicate { $0.cover == nil }),
      ("optional", #Predicate { $0.price ?? 0 > 2 }),
      ("chain", #Predicate { $0.author?.name == "author 1" || $0.author?.name == "author 2" }),
      ("no author", #Predicate { $0.author == nil }),
      ("to-many", #Predicate { $0.shelves.contains { $0.label.contains("shelf") } }),
      ("count", #Predicate { $0.shelves.count == 1 }),
      ("grandchildren", #Predicate { ($0.author?.books.count ?? 0) > 1 }),
      ("structure", #Predicate { $0.size.width < 0.5 }),
      ("elements of an array", #Predicate { $0.tags.isEmpty && !$0.isRead }),
      ("date", #Predicate { $0.added > date }),
    ]
  }

  static var sorts: [(words: String, sortBy: [SortDescriptor<Book>])] {
    [
      ("none", []),
      ("title", [SortDescriptor(\.title)]),
      (
        "title by bytes, reversed", [SortDescriptor(\.title, comparator: .lexical, order: .reverse)]
      ),
      ("pages", [SortDescriptor(\.pages), SortDescriptor(\.title)]),
      ("rating", [SortDescriptor(\.rating, order: .reverse), SortDescriptor(\.title)]),
      ("author", [SortDescriptor(\.author?.name), SortDescriptor(\.title, order: .reverse)]),
    ]
  }

  struct Question {
    let words: String
    let descriptor: FetchDescriptor<Book>
    let isOrdered: Bool
  }

  mutating func question() -> Question {
    let predicate = one(of: Self.predicates)
    let sort = one(of: Self.sorts)
    var descriptor = FetchDescriptor<Book>(predicate: predicate.predicate, sortBy: sort.sortBy)
    var words = "\(predicate.words) by \(sort.words)"
    // Without an order nobody can say which those are.
    if !sort.sortBy.isEmpty, next(2) == 0 {
      descriptor.fetchLimit = 1 + next(4)
      descriptor.fetchOffset = next(3)
      words += ", \(descriptor.fetchLimit!) from \(descriptor.fetchOffset!)"
    }
    descriptor.includePendingChanges = next(4) != 0
    if !descriptor.includePendingChanges { words += ", saved" }
    return Question(words: words, descriptor: descriptor, isOrdered: !sort.sortBy.isEmpty)
  }
}
