import CoreData
import SwiftData
import Testing

struct SchemaTests {
  @Test func whatIsReachableIsPartOfIt() {
    let schema = Schema([Author.self])
    #expect(Set(schema.entities.map(\.name)) == ["Author", "Book", "Shelf"])
    #expect(schema.entity(for: Book.self)?.name == "Book")
    #expect(Schema.entityName(for: Book.self) == "Book")
  }

  @Test func inversesAreFoundFromEitherSide() throws {
    let schema = Schema([Author.self])
    let book = try #require(schema.entity(for: Book.self))
    let author = try #require(schema.entity(for: Author.self))
    #expect(book.relationshipsByName["author"]?.inverseName == "books")
    #expect(author.relationshipsByName["books"]?.inverseName == "author")
    #expect(author.relationshipsByName["books"]?.deleteRule == .cascade)
    #expect(book.relationshipsByName["shelves"]?.inverseName == "books")
    let cocktails = Schema([Cocktail.self])
    #expect(cocktails.entity(for: Cocktail.self)?.relationshipsByName["spec"]?.inverseName == nil)
  }

  @Test func attributesHaveTheTypesOfColumns() throws {
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: [Book.self]))
    let book = try #require(model.entitiesByName["Book"]).attributesByName
    let types = book.mapValues(\.type)
    #expect(types["title"] == .string && types["pages"] == .integer64 && types["rating"] == .double)
    #expect(types["isRead"] == .boolean && types["added"] == .date && types["identifier"] == .uuid)
    #expect(types["cover"] == .binaryData && types["link"] == .uri && types["price"] == .decimal)
    #expect(
      types["size"] == .composite && types["genre"] == .composite && types["state"] == .composite)
    #expect(types["tags"] == .transformable && types["notes"] == .binaryData)
    #expect(book["opened"] == nil)
    #expect(book["cover"]?.isOptional == true && book["title"]?.isOptional == false)
    #expect(book["rating"]?.defaultValue as? Double == 0.5)
    let size = try #require(book["size"] as? NSCompositeAttributeDescription)
    #expect(size.elements.map(\.name) == ["width", "height", "unit"])
    #expect(size.elements.map(\.isOptional) == [false, false, true])
    let state = try #require(book["state"] as? NSCompositeAttributeDescription)
    #expect(state.elements.map(\.name) == ["lent", "lost", "sold"])
    #expect(state.userInfo?["enum"] as? [String] == ["lent", "lost", "sold"])
  }

  @Test func schemasAreCoded() throws {
    let schema = Schema([Cocktail.self, Book.self], version: Schema.Version(2, 1, 0))
    let coded = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
    #expect(coded == schema && coded.version == Schema.Version(2, 1, 0))
    #expect(Schema.Version(1, 2, 3) < Schema.Version(1, 10, 0))
    #expect("\(Schema.Version(1, 2, 3))" == "1.2.3")
  }

  @Test func wrongConfigurationsAreRefused() throws {
    let schema = Schema([Item.self])
    func container(_ configurations: SwiftData.ModelConfiguration...) throws -> ModelContainer {
      try ModelContainer(for: schema, configurations: configurations)
    }
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try container(
        ModelConfiguration("a", isStoredInMemoryOnly: true),
        ModelConfiguration("a", isStoredInMemoryOnly: true))
    }
    #expect(throws: SwiftDataError.configurationSchemaNotFoundInContainerSchema) {
      try container(
        ModelConfiguration("a", schema: Schema([Book.self]), isStoredInMemoryOnly: true))
    }
    #expect(throws: SwiftDataError.configurationFileNameContainsInvalidCharacters) {
      try container(ModelConfiguration("a/b"))
    }
    #expect(throws: SwiftDataError.configurationFileNameTooLong) {
      try container(ModelConfiguration(String(repeating: "x", count: 300)))
    }
    let error = #expect(throws: SwiftDataError.self) {
      try container(ModelConfiguration("a", url: URL(fileURLWithPath: "/proc/nowhere/a.store")))
    }
    #expect(error == .loadIssueModelContainer)
    #expect(error?.underlyingError != nil)
  }

  @Test func severalConfigurationsHaveTheirOwnModels() throws {
    let container = try ModelContainer(
      for: Schema([Item.self, Name.self]),
      configurations: ModelConfiguration(
        "items", schema: Schema([Item.self]), isStoredInMemoryOnly: true),
      ModelConfiguration("names", schema: Schema([Name.self]), isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (item, name) = (Item(timestamp: .now), Name(firstName: "A"))
    context.insert(item)
    context.insert(name)
    try context.save()
    #expect(item.persistentModelID.storeIdentifier != name.persistentModelID.storeIdentifier)
    #expect(try context.fetchCount(FetchDescriptor<Name>()) == 1)
  }
}
