import CoreData
import SwiftData
import Testing

/// What a schema says of itself: each of its declarations, read and set.
struct SchemaDeclarationTests {
  @Test func aSchemaIsSavedLoadedAndCompared() throws {
    let schema = Schema(Author.self, Shelf.self, version: Schema.Version(3, 2, 1))
    #expect(schema.encodingVersion == Schema.schemaEncodingVersion)
    #expect(schema.entitiesByName["Book"] == schema.entity(for: Book.self))
    #expect(schema.debugDescription.contains("3.2.1") && schema.debugDescription.contains("Shelf"))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).schema")
    defer { try? FileManager.default.removeItem(at: file) }
    try schema.save(to: file)
    let loaded = try Schema.load(from: file)
    #expect(loaded == schema && Set([loaded, schema]).count == 1)
    #expect(loaded != Schema(Author.self, Shelf.self))
    let version = schema.version
    #expect(version.major == 3 && version.minor == 2 && version.patch == 1)
    #expect(version.description == "3.2.1")
  }

  @Test func entitiesAreMadeByHand() throws {
    let tag = Schema.Attribute(name: "tag", valueType: String.self)
    let kitten = Schema.Entity("Kitten", properties: tag)
    let cat = Schema.Entity(
      "Cat", subentities: kitten,
      properties: Schema.Attribute(name: "name", valueType: String.self),
      Schema.Attribute(name: "age", valueType: Int?.self))
    let schema = Schema(cat, kitten, Schema.Entity("Empty"), version: Schema.Version(1, 1, 0))
    #expect(schema.entities.map(\.name) == ["Cat", "Kitten", "Empty"])
    #expect(kitten.superentity === cat && kitten.superentityName == "Cat")
    #expect(cat.subentities == [kitten] && cat.superentity == nil)
    #expect(kitten.inheritedProperties.map(\.name) == ["name", "age"])
    #expect(kitten.inheritedPropertiesByName.keys.sorted() == ["age", "name"])
    #expect(kitten.storedProperties.map(\.name) == ["tag"])
    #expect(kitten.storedPropertiesByName["tag"]?.valueType == String.self)
    #expect(kitten.properties.map(\.name) == ["name", "age", "tag"])
    #expect(kitten.attributes.map(\.name).sorted() == ["age", "name", "tag"])
    #expect(kitten.attributesByName["age"]?.isOptional == true && kitten.relationships.isEmpty)
    #expect(kitten.debugDescription.contains("Kitten"))
    kitten.attributes = [Schema.Attribute(name: "color", valueType: String.self)]
    #expect(kitten.storedProperties.map(\.name) == ["color"])
    cat.uniquenessConstraints = [["name"]]
    cat.indices = [["age"]]
    let coded = try JSONDecoder().decode(Schema.Entity.self, from: JSONEncoder().encode(cat))
    #expect(coded == cat && Set([coded, cat]).count == 1)
    #expect(coded.uniquenessConstraints == [["name"]] && coded.indices == [["age"]])
    #expect(coded != kitten)
  }

  @Test func attributesSayWhatTheyAre() throws {
    let attribute = Schema.Attribute(
      name: "code", originalName: "oldCode",
      options: [.unique, .spotlight, .allowsCloudEncryption],
      valueType: Int?.self, defaultValue: 3, hashModifier: "v2")
    #expect(attribute.name == "code" && attribute.originalName == "oldCode")
    #expect(attribute.options == [.unique, .spotlight, .allowsCloudEncryption])
    #expect(attribute.options.map(\.debugDescription).first == "unique")
    #expect(attribute.valueType == Int?.self && attribute.defaultValue as? Int == 3)
    #expect(attribute.isOptional && attribute.hashModifier == "v2" && attribute.isUnique)
    #expect(attribute.isAttribute && !attribute.isRelationship && !attribute.isTransient)
    #expect(!attribute.isTransformable && attribute.debugDescription.contains("code"))
    let coded = try JSONDecoder().decode(
      Schema.Attribute.self, from: JSONEncoder().encode(attribute))
    #expect(coded == attribute && coded.defaultValue as? Int == 3)
    #expect(Set([coded, attribute]).count == 1)
    let other = Schema.Attribute(.ephemeral, originalName: "x", hashModifier: "y")
    #expect(other.isTransient && other != attribute && other.originalName == "x")
    let named = Schema.Attribute(.transformable(by: "Named"))
    let typed = Schema.Attribute(.transformable(by: Reversal.self))
    #expect(named.isTransformable && typed.isTransformable && named != typed)
    let option: Schema.Attribute.Option = .transformable(by: Reversal.self)
    #expect(option.debugDescription == "transformable(Reversal)")
  }

  @Test func compositesHaveTheAttributesOfAStructure() throws {
    let entity = try #require(Schema([Book.self]).entity(for: Book.self))
    let size = try #require(entity.attributesByName["size"] as? Schema.CompositeAttribute)
    #expect(size.properties.map(\.name) == ["width", "height", "unit"])
    #expect(size.debugDescription.contains("width"))
    let coded = try JSONDecoder().decode(
      Schema.CompositeAttribute.self, from: JSONEncoder().encode(size))
    #expect(coded == size)
    let made = Schema.CompositeAttribute(
      name: "size", originalName: nil, options: [], valueType: Size.self, defaultValue: nil,
      hashModifier: nil)
    #expect(made.properties.isEmpty && made != size)
    made.properties = size.properties
    #expect(made == size)
  }

  @Test func relationshipsSayWhereTheyLead() throws {
    let author = try #require(Schema([Author.self]).entity(for: Author.self))
    let books = try #require(author.relationshipsByName["books"])
    #expect(books.name == "books" && books.originalName == "books" && books.destination == "Book")
    #expect(books.keypath == \Author.books && books.inverseKeyPath == \Book.author)
    #expect(books.valueType == [Book].self && books.options.isEmpty && !books.isUnique)
    #expect(!books.isToOneRelationship && !books.isAttribute && !books.isTransient)
    #expect(books.isRelationship && books.debugDescription.contains("cascade"))
    #expect(author.relationships == [books])
    let coded = try JSONDecoder().decode(
      Schema.Relationship.self, from: JSONEncoder().encode(books))
    #expect(coded == books && Set([coded, books]).count == 1)
    let option: Schema.Relationship.Option = .unique
    let rule: Schema.Relationship.DeleteRule = .noAction
    let made = Schema.Relationship(
      option, deleteRule: rule, minimumModelCount: 1, maximumModelCount: 4, hashModifier: "h")
    #expect(made.isUnique && made.deleteRule == rule && made != books && made.hashModifier == "h")
    #expect(made.minimumModelCount == 1 && made.maximumModelCount == 4)
    #expect(Schema.Relationship().deleteRule == .nullify)
  }

  @Test func aPropertyIsReadWithoutItsClass() throws {
    let book = try #require(Schema([Book.self]).entity(for: Book.self))
    func described(_ property: some SchemaProperty) -> String {
      var property = property
      let words = [
        property.isAttribute ? "attribute" : nil, property.isRelationship ? "relationship" : nil,
        property.isTransient ? "transient" : nil, property.isOptional ? "optional" : nil,
        property.isUnique ? "unique" : nil,
      ]
      let kind = "\(property.name)/\(property.originalName): \(property.valueType) "
      property.originalName += "2"
      return kind + words.compactMap { $0 }.joined(separator: " ") + " " + property.originalName
    }
    let properties = book.storedPropertiesByName
    let title = try #require(properties["title"])
    #expect(described(title) == "title/title: String attribute title2")
    let author = try #require(properties["author"])
    #expect(described(author) == "author/author: Optional<Author> relationship optional author2")
    // What a type that says no more is.
    let remark = Remark()
    #expect(!remark.isAttribute && !remark.isRelationship && !remark.isTransient)
    #expect(remark.isOptional)
  }

  @Test func indexesAndUniquenessAreRead() throws {
    typealias Types = Schema.Index<Book>.Types<Book>
    let index = Schema.Index<Book>(Types.binary([\.title]), Types.rtree([\.pages, \.rating]))
    #expect(index.name == "Index" && index.originalName == "Index" && !index.isUnique)
    #expect(index.valueType == Any.self && index.indices.count == 2)
    guard case .rtree(let paths) = index.indices[1] else {
      Issue.record("an R-tree was expected, not \(index.indices[1])")
      return
    }
    #expect(paths == [\Book.pages, \Book.rating])
    #expect(index.debugDescription.contains("rating"))
    let data = try JSONEncoder().encode(index)
    #expect(try JSONDecoder().decode(Schema.Index<Book>.self, from: data) == index)
    #expect(try keys(data) == [Schema.Index<Book>.CodingKeys.indices.stringValue])
    #expect(Schema.Index<Book>([\.title], [\.pages]) != index)
    let unique = Schema.Unique<Book>([\.title], [\.pages, \.rating])
    #expect(unique.name == "Unique" && unique.originalName == "Unique" && unique.isUnique)
    #expect(unique.valueType == Any.self && unique.debugDescription.contains("pages"))
    #expect(unique.constraints == [[\Book.title], [\Book.pages, \Book.rating]])
    let other = try JSONEncoder().encode(unique)
    #expect(try JSONDecoder().decode(Schema.Unique<Book>.self, from: other) == unique)
    #expect(try keys(other) == [Schema.Unique<Book>.CodingKeys.constraints.stringValue])
  }

  private func keys(_ json: Data) throws -> [String] {
    try #require(JSONSerialization.jsonObject(with: json) as? [String: Any]).keys.sorted()
  }

  @Test func aModelMayHaveSpatialIndexes() throws {
    let entity = try #require(Schema([Spot.self]).entity(for: Spot.self))
    #expect(entity.indices == [["name"]])
    let model = try #require(NSManagedObjectModel.makeManagedObjectModel(for: Spot.self))
    let indexes = try #require(model.entitiesByName["Spot"]).indexes
    #expect(indexes.contains { $0.elements.allSatisfy { $0.collationType == .rTree } })
  }

  @Test func coreDataTakesASchema() throws {
    let schema = Schema([Item.self])
    let alone = try #require(NSManagedObjectModel.makeManagedObjectModel(for: schema))
    #expect(alone.entitiesByName.keys.sorted() == ["Item"])
    let types = try #require(NSManagedObjectModel.makeManagedObjectModel(for: Item.self, Name.self))
    #expect(types.entitiesByName.keys.sorted() == ["Item", "Name"])
    let merged = try #require(
      (NSManagedObjectModel() as any OldNames).merged(
        schema, NSManagedObjectModel.makeManagedObjectModel(for: Name.self)))
    #expect(merged.entitiesByName.keys.sorted() == ["Item", "Name"])
  }
}

/// A name that a build with warnings as errors cannot call otherwise.
private protocol OldNames {
  func merged(_ schema: Schema, _ other: NSManagedObjectModel?) -> NSManagedObjectModel?
}

extension NSManagedObjectModel: OldNames {
  @available(*, deprecated)
  func merged(_ schema: Schema, _ other: NSManagedObjectModel?) -> NSManagedObjectModel? {
    makeManagedObjectModel(for: schema, mergedWith: other)
  }
}

@Model
final class Spot {
  #Index<Spot>(.binary([\.name]), .rtree([\.latitude, \.longitude]))

  var name = ""
  var latitude = 0.0
  var longitude = 0.0

  init() {}
}

private struct Remark: SchemaProperty {
  var name = "remark"
  var originalName = "remark"
  var valueType: any Any.Type = String?.self
  var isUnique: Bool { false }

  private enum CodingKeys: CodingKey { case name, originalName }

  static func == (left: Remark, right: Remark) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

private final class Reversal: ValueTransformer, @unchecked Sendable {}
