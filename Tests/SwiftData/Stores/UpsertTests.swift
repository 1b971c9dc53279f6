import CoreData
import SwiftData
import Testing

/// What becomes of a new model whose unique value another one has, stored or new.
struct UpsertTests {
  @Model
  final class Item {
    @Attribute(.unique) var code: String
    var count = 0
    var title: String?
    var mood: Genre?
    var size: Size?
    var tags: [String]? = nil
    var box: Box?
    @Relationship(inverse: \Label.items) var labels: [Label] = []

    init(code: String, count: Int = 0, title: String? = nil) {
      self.code = code
      self.count = count
      self.title = title
    }
  }

  @Model final class Box {
    var name: String
    init(name: String) { self.name = name }
  }

  @Model final class Label {
    var name: String
    var items: [Item] = []
    init(name: String) { self.name = name }
  }

  private func context(_ url: URL? = nil) throws -> ModelContext {
    let schema = Schema([Item.self, Box.self, Label.self])
    let configuration =
      url.map { ModelConfiguration(schema: schema, url: $0) }
      ?? ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    return ModelContext(try ModelContainer(for: schema, configurations: configuration))
  }

  private func full(_ code: String) -> Item {
    let item = Item(code: code, count: 5, title: "old")
    item.mood = .drama
    item.size = Size(width: 1, height: 2)
    item.tags = ["old"]
    item.box = Box(name: "old")
    item.labels = [Label(name: "old")]
    return item
  }

  /// Attributes are the new one's, nil and defaults too; what relationships leave empty stays.
  @Test func theStoredModelTakesAllThatTheNewOneHas() throws {
    let context = try context()
    let stored = full("a")
    context.insert(stored)
    try context.save()
    let id = stored.persistentModelID
    let new = Item(code: "a")
    context.insert(new)
    new.labels = [Label(name: "new")]
    try context.save()
    #expect(new.persistentModelID == id && stored.persistentModelID == id)
    for item in [stored, new] {
      #expect(item.count == 0 && item.title == nil && item.mood == nil && item.size == nil)
      #expect(item.tags == nil && item.box?.name == "old")
      #expect(Set(item.labels.map(\.name)) == ["old", "new"])
    }
    #expect(try context.fetchCount(FetchDescriptor<Item>()) == 1)
  }

  /// Of many new models of one value the last one's values stay, and all are the one model from then on.
  @Test(arguments: [true, false])
  func ofManyNewModelsTheLastWins(_ isStored: Bool) throws {
    let context = try context()
    if isStored {
      context.insert(full("a"))
      try context.save()
    }
    let items = (1...50).map { Item(code: "a", count: $0, title: $0 == 1 ? "first" : nil) }
    for item in items { context.insert(item) }
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Item>()).map(\.count) == [50])
    let id = try #require(try context.fetchIdentifiers(FetchDescriptor<Item>()).first)
    for item in items {
      #expect(item.count == 50 && item.title == nil && item.persistentModelID == id)
    }
    items[3].title = "again"
    try context.save()
    #expect(items.allSatisfy { $0.title == "again" } && !context.hasChanges)
  }

  @Test func storedModelsExchangeTheirValues() throws {
    try LibraryStore.withFile { url in
      let context = try context(url)
      let items = ["a", "b", "c"].map { Item(code: $0, title: $0) }
      for item in items { context.insert(item) }
      try context.save()
      (items[0].code, items[1].code) = ("b", "a")
      try context.save()
      (items[0].code, items[1].code, items[2].code) = ("c", "b", "a")
      try context.save()
      let found = try self.context(url).fetch(
        FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]))
      #expect(found.map(\.title) == ["c", "b", "a"])
    }
  }

  /// An import of what is there already, some of it twice, with new ones between.
  @Test func anImportBecomesWhatIsThere() throws {
    let context = try context()
    for number in 0..<300 { context.insert(Item(code: "\(number)", count: 1)) }
    try context.save()
    for number in 200..<500 { context.insert(Item(code: "\(number)", count: 2)) }
    for number in 100..<250 { context.insert(Item(code: "\(number)", count: 3)) }
    try context.save()
    let counts = try context.fetch(FetchDescriptor<Item>()).reduce(into: [:]) {
      $0[$1.count, default: 0] += 1
    }
    #expect(counts == [1: 100, 2: 250, 3: 150])
  }
}
