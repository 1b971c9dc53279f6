import SwiftData
import Testing

/// A model that is Codable itself, as many are that come from a service.
@Model
final class Dish: Codable {
  @Attribute(.unique) var name: String
  var price: Double?
  @Attribute(.transformable(by: "NSSecureUnarchiveFromData")) var labels: [String] = []
  var ingredients: [Ingredients] = []
  var cook: Cook?

  init(name: String) { self.name = name }

  private enum CodingKeys: CodingKey { case name, price }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    price = try container.decodeIfPresent(Double.self, forKey: .price)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(price, forKey: .price)
  }
}

struct Ingredients: Codable, Equatable, Sendable { var names: [String] }

@Model
final class Cook: Codable {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Dish.cook) var dishes: [Dish]
  var rivals: [Cook]? = nil
  @Relationship(inverse: \Cook.rivals) var rivalOf: [Cook] = []

  init(name: String, dishes: [Dish] = []) {
    self.name = name
    self.dishes = dishes
  }

  private enum CodingKeys: CodingKey { case name, dishes }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    dishes = try container.decode([Dish].self, forKey: .dishes)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(dishes, forKey: .dishes)
  }
}

/// A relationship that is never nil.
@Model
final class Order {
  var author: Author
  var shelf: Shelf?
  var authors: [Author] = []

  init(author: Author) { self.author = author }
}

/// Values of models, read and written as the accessors that the macro writes do it.
struct BackingDataTests {
  @Test func aModelMayBeCodable() throws {
    let json = #"{"name": "Ada", "dishes": [{"name": "Soup", "price": 3.5}, {"name": "Bread"}]}"#
    let cook = try JSONDecoder().decode(Cook.self, from: Data(json.utf8))
    #expect(cook.dishes.map(\.name) == ["Soup", "Bread"])
    let container = try ModelContainer(
      for: Cook.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    context.insert(cook)
    #expect(cook.dishes.allSatisfy { $0.cook === cook })
    cook.rivals = [Cook(name: "Bob")]
    try context.save()
    let other = ModelContext(container)
    let found = try other.fetch(FetchDescriptor<Cook>(predicate: #Predicate { $0.name == "Ada" }))
    #expect(found.first?.dishes.map(\.price) == [3.5, nil])
    #expect(found.first?.rivals?.first?.rivalOf.map(\.name) == ["Ada"])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(cook) == encoder.encode(found.first))
  }

  /// Called with data of either kind: of a model in a context, and of one without.
  private func check(_ data: any BackingData<Order>, _ shelf: Shelf, _ authors: [Author]) {
    let author = data.getValue(forKey: \.author)
    #expect(author.name == "first")
    data.setValue(forKey: \.author, to: authors[1])
    #expect(data.getValue(forKey: \.author) === authors[1])
    data.setValue(forKey: \.shelf, to: shelf)
    #expect(data.getValue(forKey: \.shelf) === shelf)
    data.setValue(forKey: \.authors, to: authors)
    #expect(data.getValue(forKey: \.authors).map(\.name) == ["first", "second"])
  }

  private func check(_ data: any BackingData<Cook>, _ dishes: [Dish]) {
    data.setValue(forKey: \.name, to: "renamed")
    #expect(data.getValue(forKey: \.name) == "renamed")
    data.setValue(forKey: \.dishes, to: dishes)
    #expect(data.getValue(forKey: \.dishes).map(\.name) == dishes.map(\.name))
  }

  private func check(_ data: any BackingData<Dish>) {
    data.setTransformableValue(forKey: \.labels, to: ["hot", "new"])
    #expect(data.getTransformableValue(forKey: \.labels) == ["hot", "new"])
  }

  @Test(arguments: [false, true]) func dataIsReadAndWrittenByKeyPaths(isInserted: Bool) throws {
    let container = try ModelContainer(
      for: Order.self, Cook.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let authors = ["first", "second"].map { Author(name: $0) }
    let order = Order(author: authors[0])
    let cook = Cook(name: "Ada")
    let dish = Dish(name: "Soup")
    if isInserted {
      context.insert(order)
      context.insert(cook)
      context.insert(dish)
    }
    check(order.persistentBackingData, Shelf(label: "A"), authors)
    check(cook.persistentBackingData, [dish, Dish(name: "Bread")])
    check(dish.persistentBackingData)
    #expect(order.author.name == "second" && dish.labels == ["hot", "new"])
    #expect(cook.name == "renamed" && cook.dishes.count == 2)
  }

  @Test func dataIsMadeForAClass() throws {
    func make<Data: BackingData>(_ type: Data.Type) -> any BackingData<Data.Model> {
      Data(for: Data.Model.self)
    }
    func kind<Model: PersistentModel>(_ data: some BackingData<Model>) -> any BackingData<Model> {
      make(type(of: data))
    }
    let data: any BackingData<Shelf> = kind(Shelf.createBackingData())
    data.setValue(forKey: \.label, to: "made")
    let shelf = Shelf(backingData: data)
    #expect(shelf.label == "made" && shelf.books.isEmpty)
    #expect((data.metadata as? [Schema.PropertyMetadata])?.count == Shelf.schemaMetadata.count)
  }

  @Test func accessorsMayBeWrittenByHand() throws {
    let order = Order(author: Author(name: "first"))
    order.setValue(forKey: \.author, to: Author(name: "second"))
    #expect(order.getValue(forKey: \.author).name == "second")
    order.setValue(forKey: \.authors, to: [Author(name: "third")])
    #expect(order.getValue(forKey: \.authors).map(\.name) == ["third"])
    let cook = Cook(name: "Ada")
    cook.setValue(forKey: \.dishes, to: [Dish(name: "Soup")])
    #expect(cook.getValue(forKey: \.dishes).map(\.name) == ["Soup"])
  }

  @Test func collectionsOfModelsAreKnownByTheirTypes() {
    func element<Collection: RelationshipCollection>(
      of type: Collection.Type
    ) -> Collection.PersistentElement.Type { Collection.PersistentElement.self }
    #expect(element(of: [Book].self) == Book.self && element(of: [Book]?.self) == Book.self)
  }

  @Test func modelsAreEqualWhenTheyAreOne() {
    let books = [Book(title: "A"), Book(title: "A")]
    #expect(books[0] == books[0] && books[0] != books[1] && Set(books + books).count == 2)
  }
}
