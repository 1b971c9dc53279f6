import CoreData
import SwiftData
import Testing

@testable import SwiftData

// Models with a property of each kind that a predicate can ask about.

enum Topic: String, Codable, CaseIterable, Sendable { case novel, poetry, essay }
enum Mood: Codable, Hashable, CaseIterable, Sendable { case light, dark }
enum Rank: Int, Codable, CaseIterable, Sendable { case low = 3, high = 1 }

struct Extent: Codable, Hashable, Sendable {
  var width: Int
  var unit: String?

  var area: Int { width * width }
}

@Model
final class Writer {
  var name: String
  var born: Int?
  var volumes: [Volume] = []
  @Relationship(inverse: \Writer.pupils) var teacher: Writer?
  var pupils: [Writer] = []

  init(_ name: String, born: Int? = nil) {
    self.name = name
    self.born = born
  }
}

@Model
final class Volume {
  var title: String
  var subtitle: String?
  var pages: Int
  var price: Double
  var rating: Double?
  var isRead: Bool
  var isLent: Bool?
  var added: Date
  var due: Date?
  var genre: Topic
  var secondGenre: Topic?
  var mood: Mood
  var secondMood: Mood?
  var rank: Rank?
  var size: Extent
  var box: Extent?
  var code: UUID
  var words: [String]
  @Relationship(inverse: \Writer.volumes) var writer: Writer?
  @Relationship(inverse: \Volume.sequels) var original: Volume?
  var sequels: [Volume]?
  @Transient var note = "note"

  var shout: String { title + "!" }

  init(number: Int) {
    let titles = [
      "Emma", "emma", "Caf\u{E9}", "Cafe\u{301}", "Cafe", "", "Kim", "\u{212A}im", "Zorn\r\n",
      "Ωmega",
    ]
    title = titles[number % titles.count]
    subtitle = [nil, "", "A tale", "tale", "\u{E9}tude", nil, "Emma"][number % 7]
    pages = [0, 1, 7, 100, -3][number % 5]
    price = [0, 1.5, -2, 7][number % 4]
    rating = [nil, 0, 4.5][number % 3]
    isRead = number % 2 == 0
    isLent = [nil, true, false][number % 3]
    added = Date(timeIntervalSinceReferenceDate: Double(number % 6) * 1000)
    due = number % 4 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number % 5) * 1000)
    genre = Topic.allCases[number % 3]
    secondGenre = number % 4 == 0 ? nil : Topic.allCases[number % 3]
    mood = Mood.allCases[number % 2]
    secondMood = number % 3 == 0 ? nil : Mood.allCases[(number / 2) % 2]
    rank = [nil, .low, .high][number % 3]
    size = Extent(width: number % 4, unit: [nil, "cm", "in"][number % 3])
    box = number % 5 == 0 ? nil : Extent(width: number % 3, unit: ["cm", nil][number % 2])
    code = UUID(uuid: (UInt8(number % 8), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9))
    words = [["a"], [], ["a", "b"]][number % 3]
  }
}

/// Sixty volumes by six writers in a store of their own.
final class VolumeStore {
  let container: ModelContainer
  let context: ModelContext
  let volumes: [Volume]
  let writers: [Writer]

  /// In memory, or in a file of JSON.
  init(json url: URL? = nil) throws {
    container =
      if let url {
        try ModelContainer(
          for: Volume.self, Writer.self,
          configurations: JSONStoreConfiguration(name: url.path, url: url))
      } else {
        try ModelContainer(
          for: Volume.self, Writer.self,
          configurations: ModelConfiguration(isStoredInMemoryOnly: true))
      }
    let making = ModelContext(container)
    let writers = [
      Writer("Austen", born: 1775), Writer("Kim", born: nil), Writer("\u{212A}im", born: 0),
      Writer("", born: 1), Writer("Caf\u{E9}", born: 1775), Writer("Zorn"),
    ]
    writers.forEach(making.insert)
    writers[1].teacher = writers[0]
    writers[2].teacher = writers[1]
    writers[3].teacher = writers[1]
    let volumes = (0..<60).map(Volume.init)
    for (number, volume) in volumes.enumerated() {
      making.insert(volume)
      volume.writer = number % 4 == 3 ? nil : writers[number % 5]
      volume.original = number % 3 == 0 ? nil : volumes[number / 4]
    }
    try making.save()
    context = ModelContext(container)
    self.volumes = try context.fetch(FetchDescriptor<Volume>())
    self.writers = try context.fetch(FetchDescriptor<Writer>())
  }

  /// The store, its predicate in memory and the Swift predicate give the same models.
  ///
  /// - Returns: whether they do, and how many there are.
  @discardableResult
  func expectAgreement(
    _ predicate: Predicate<Volume>, isExact: Bool? = nil, _ comment: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (holds: Bool, found: Int) {
    let expected = Set(volumes.filter(predicate.holds).map(\.persistentModelID))
    let translated = try predicate.translated(in: context)
    let words = "\(comment()) as \(translated.predicate.text)"
    let request = NSFetchRequest<NSManagedObject>(entityName: "Volume")
    request.predicate = translated.predicate
    let stored = Set(
      try context.managed.fetch(request).map { PersistentIdentifier($0.objectID) })
    let remembered = Set(
      volumes.filter { translated.predicate.evaluate(with: $0.managed) }.map(\.persistentModelID))
    #expect(stored == remembered, "\(words)", sourceLocation: sourceLocation)
    if translated.filtersInMemory {
      #expect(stored.isSuperset(of: expected), "\(words)", sourceLocation: sourceLocation)
    } else {
      #expect(stored == expected, "\(words)", sourceLocation: sourceLocation)
    }
    if let isExact {
      #expect(translated.filtersInMemory == !isExact, "\(words)", sourceLocation: sourceLocation)
    }
    let fetched = try context.fetch(FetchDescriptor(predicate: predicate))
    let found = Set(fetched.map(\.persistentModelID))
    #expect(found == expected, "\(words)", sourceLocation: sourceLocation)
    return (stored == remembered && found == expected, found.count)
  }
}

extension NSPredicate {
  fileprivate var text: String { description }
}
