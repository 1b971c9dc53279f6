import SwiftData
import Testing

@Model
final class Visit {
  @Attribute(.preserveValueOnDeletion) var place: String
  @Attribute(.preserveValueOnDeletion) var weather: Weather = Weather.good
  var count: Int = 0
  init(place: String) { self.place = place }
}

enum Weather: String, Codable, Sendable { case good, bad }

struct HistoryTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Visit.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func history(
    _ predicate: Predicate<DefaultHistoryTransaction>? = nil
  ) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(HistoryDescriptor(predicate: predicate))
  }

  @Test func transactionsTellWhatWasSaved() throws {
    context.author = "one"
    let visit = Visit(place: "Bath")
    context.insert(visit)
    try context.save()
    context.author = "two"
    visit.count = 3
    try context.save()
    let id = visit.persistentModelID
    context.delete(visit)
    try context.save()
    let all = try history()
    #expect(all.count == 3 && all.map(\.author) == ["one", "two", "two"])
    #expect(all.allSatisfy { $0.changes.map(\.changedPersistentIdentifier) == [id] })
    guard case .insert(let insert) = all[0].changes[0],
      case .update(let update) = all[1].changes[0],
      case .delete(let delete) = all[2].changes[0]
    else {
      Issue.record("insert, update and delete were expected, not \(all.map(\.changes))")
      return
    }
    #expect(insert is DefaultHistoryInsert<Visit>)
    #expect(
      (update as? DefaultHistoryUpdate<Visit>)?.updatedAttributes.map { $0 as AnyKeyPath } == [
        \Visit.count
      ])
    let tombstone = try #require(delete as? DefaultHistoryDelete<Visit>).tombstone
    #expect(tombstone[\.place] as? String == "Bath")
    #expect(Array(tombstone).contains { $0 as? String == "Bath" })
    #expect(all[0].storeIdentifier == id.storeIdentifier)
  }

  @Test func predicatesAndTokensNarrowItDown() throws {
    for place in ["A", "B", "C"] {
      context.author = place
      context.insert(Visit(place: place))
      try context.save()
    }
    let all = try history()
    let token = all[0].token
    #expect(try history(#Predicate { $0.token > token }).map(\.author) == ["B", "C"])
    #expect(try history(#Predicate { $0.token > token && $0.author == "C" }).count == 1)
    let coded = try JSONDecoder().decode(
      DefaultHistoryToken.self, from: JSONEncoder().encode(token))
    #expect(coded == token && token < all[1].token && !(all[1].token < token))
    var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
    descriptor.fetchLimit = 2
    descriptor.sortBy = [SortDescriptor(\.transactionIdentifier, order: .reverse)]
    #expect(try context.fetchHistory(descriptor).map(\.author) == ["C", "B"])
    let second = all[1].token
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token < second }))
    #expect(try history().map(\.author) == ["B", "C"])
    context.author = "D"
    context.insert(Visit(place: "D"))
    try context.save()
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == "C" }))
    #expect(try history().map(\.author) == ["B", "D"])
    try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(try history().isEmpty)
    #expect(throws: SwiftDataError.historyTokenExpired) {
      try history(#Predicate { $0.token > token })
    }
  }

  @Test func transactionsOfSeveralStoresAreTheirOwn() throws {
    let container = try ModelContainer(
      for: Schema([Item.self, Name.self]),
      configurations: ["items", "names"].map { name in
        ModelConfiguration(
          name, schema: name == "items" ? Schema([Item.self]) : Schema([Name.self]),
          isStoredInMemoryOnly: true)
      })
    let context = ModelContext(container)
    for author in ["one", "two"] {
      context.author = author
      context.insert(Item(timestamp: .now))
      context.insert(Name(firstName: author))
      try context.save()
    }
    let items = try #require(try context.fetch(FetchDescriptor<Item>()).first)
    let store = try #require(items.persistentModelID.storeIdentifier)
    try context.deleteHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(
        predicate: #Predicate { $0.storeIdentifier == store && $0.author == "one" }))
    let left = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    #expect(left.filter { $0.storeIdentifier == store }.map(\.author) == ["two"])
    #expect(left.filter { $0.storeIdentifier != store }.map(\.author) == ["one", "two"])
  }
}
