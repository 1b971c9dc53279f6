import SwiftData

/// Models with relationships of all kinds.
@Model
final class Author {
  @Attribute(.unique) var name: String
  var born: Date?
  @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

  init(name: String, born: Date? = nil) {
    self.name = name
    self.born = born
  }
}

@Model
final class Book {
  #Index<Book>([\.title], [\.title, \.pages])

  var title: String
  var pages = 0
  var rating = 0.5
  var isRead = false
  var added = Date(timeIntervalSinceReferenceDate: 0)
  var identifier = UUID()
  var cover: Data?
  var link: URL?
  var price: Decimal?
  var genre = Genre.novel
  var state: State?
  var size: Size = Size(width: 10, height: 20)
  var tags: [String] = []
  var notes: [Note] = []
  var counts: [String: Int] = [:]
  var author: Author?
  var shelves: [Shelf] = []
  @Transient var opened = 0

  init(title: String, author: Author? = nil) {
    self.title = title
    self.author = author
  }
}

enum Genre: String, Codable, Sendable, CaseIterable { case novel, poetry, drama }
enum State: Codable, Sendable, Equatable { case lent, lost, sold }

struct Size: Codable, Equatable, Sendable {
  var width: Double
  var height: Double
  var unit: String? = nil
}

struct Note: Codable, Equatable, Sendable {
  var text: String
  var page: Int?
}

@Model
final class Shelf {
  var label: String
  @Relationship(inverse: \Book.shelves) var books: [Book]

  init(label: String, books: [Book] = []) {
    self.label = label
    self.books = books
  }
}

/// What every test starts from: a container in memory, or on a file of its own.
enum LibraryStore {
  static func container(at url: URL? = nil) throws -> ModelContainer {
    let schema = Schema([Author.self, Book.self, Shelf.self])
    let configuration =
      url.map { ModelConfiguration(schema: schema, url: $0) }
      ?? ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    return try ModelContainer(for: schema, configurations: configuration)
  }

  /// A file that is deleted at the end.
  static func withFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.appendingPathComponent("library.store"))
  }
}
