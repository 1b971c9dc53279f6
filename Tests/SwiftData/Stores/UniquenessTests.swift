import Foundation
import SwiftData
import Testing

@Model
final class Seat {
  #Unique<Seat>([\.row, \.number])

  var row: String
  var number: Int
  @Attribute(.unique) var code: UUID?
  var guest: String?

  init(_ row: String, _ number: Int, guest: String? = nil, code: UUID? = nil) {
    self.row = row
    self.number = number
    self.guest = guest
    self.code = code
  }
}

/// What is unique, over a store of a client's as over the container's own.
struct UniquenessTests {
  private func withContainer(isCustom: Bool, _ body: (ModelContainer) throws -> Void) throws {
    try LibraryStore.withFile { url in
      let schema = Schema([Author.self, Seat.self])
      if isCustom {
        let store = JSONStoreConfiguration(name: "seats", schema: schema, url: url)
        try body(ModelContainer(for: schema, configurations: [store]))
      } else {
        try body(ModelContainer(for: schema, configurations: [ModelConfiguration(url: url)]))
      }
    }
  }

  @Test(arguments: [false, true]) func aNewModelTakesTheStoredOnesPlace(isCustom: Bool) throws {
    try withContainer(isCustom: isCustom) { container in
      let context = ModelContext(container)
      let old = Author(name: "Austen", born: .distantPast)
      context.insert(old)
      context.insert(Book(title: "Emma", author: old))
      try context.save()
      let other = ModelContext(container)
      let new = Author(name: "Austen")
      other.insert(new)
      other.insert(Book(title: "Persuasion", author: new))
      try other.save()
      #expect(new.persistentModelID == old.persistentModelID)
      let found = try ModelContext(container).fetch(FetchDescriptor<Author>())
      #expect(found.map(\.name) == ["Austen"] && found.first?.born == nil)
      #expect(found.first?.books.map(\.title).sorted() == ["Emma", "Persuasion"])
      #expect(try context.fetch(FetchDescriptor<Author>()).map(\.born) == [nil])
    }
  }

  @Test(arguments: [false, true]) func severalPropertiesMayBeUniqueTogether(
    isCustom: Bool
  ) throws {
    try withContainer(isCustom: isCustom) { container in
      let context = ModelContext(container)
      for (row, number) in [("A", 1), ("A", 2), ("B", 1)] { context.insert(Seat(row, number)) }
      try context.save()
      context.insert(Seat("A", 2, guest: "Ada"))
      context.insert(Seat("B", 2, guest: "Bob"))
      try context.save()
      let sorted = [SortDescriptor(\Seat.row), SortDescriptor(\Seat.number)]
      let seats = try ModelContext(container).fetch(FetchDescriptor<Seat>(sortBy: sorted))
      #expect(seats.map { "\($0.row)\($0.number)" } == ["A1", "A2", "B1", "B2"])
      #expect(seats.map(\.guest) == [nil, "Ada", nil, "Bob"])
    }
  }

  @Test(arguments: [false, true]) func twoNewModelsOfOneSaveBecomeOne(isCustom: Bool) throws {
    try withContainer(isCustom: isCustom) { container in
      let context = ModelContext(container)
      let code = UUID()
      context.insert(Seat("A", 1, guest: "Ada", code: code))
      context.insert(Seat("A", 2, guest: "Bob", code: code))
      context.insert(Seat("A", 3))
      context.insert(Seat("A", 4))
      try context.save()
      let seats = try ModelContext(container).fetch(FetchDescriptor<Seat>())
      #expect(seats.count == 3 && seats.count { $0.code == code } == 1)
    }
  }

  @Test(arguments: [false, true]) func aStoredModelMayTakeAnothersValue(isCustom: Bool) throws {
    try withContainer(isCustom: isCustom) { container in
      let context = ModelContext(container)
      let codes = [UUID(), UUID()]
      let seats = codes.enumerated().map { Seat("A", $0.offset, code: $0.element) }
      seats.forEach(context.insert)
      try context.save()
      seats[0].guest = "Ada"
      try context.save()
      seats[1].code = codes[0]
      try context.save()
      let found = try ModelContext(container).fetch(FetchDescriptor<Seat>())
      #expect(found.map(\.code) == [codes[0]])
      // What is unique may change owners in one save.
      seats[1].code = codes[1]
      let third = Seat("A", 9, code: codes[0])
      context.insert(third)
      try context.save()
      #expect(try context.fetchCount(FetchDescriptor<Seat>()) == 2)
    }
  }
}
