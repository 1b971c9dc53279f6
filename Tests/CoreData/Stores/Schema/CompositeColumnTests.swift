import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The columns of composite attributes, letter by letter as in files of Apple's frameworks 1403 to 1414, and their
/// version hashes.
@Suite struct CompositeColumnTests {
  private static func composite(
    _ name: String, _ elements: [(String, NSAttributeType)]
  ) -> NSCompositeAttributeDescription {
    PlacesModel.composite(name, elements.map { ModelPart.attribute($0.0, $0.1) })
  }

  private static func strings(_ name: String, _ elements: String...) -> NSPropertyDescription {
    composite(name, elements.map { ($0, .stringAttributeType) })
  }

  @Test func elementsStandWhereTheCompositesNameSorts() throws {
    let cocktail = ModelPart.entity("Cocktail")
    let garnish = ModelPart.entity("Garnish")
    let garnishes = ModelPart.relationship("garnish", to: garnish, maxCount: 0)
    let cocktails = ModelPart.relationship("cocktails", to: cocktail, maxCount: 0)
    ModelPart.connect(garnishes, cocktails)
    garnish.properties = [ModelPart.attribute("name"), cocktails]
    cocktail.properties = [
      Self.composite(
        "author",
        [
          ("id", .UUIDAttributeType), ("person", .stringAttributeType),
          ("place", .stringAttributeType), ("year", .stringAttributeType),
        ]),
      Self.composite("build", [("instructions", .binaryDataAttributeType)]),
      ModelPart.attribute("cocktailName"),
      ModelPart.attribute("collection", .booleanAttributeType),
      ModelPart.attribute("collectionName"),
      ModelPart.attribute("favorite", .booleanAttributeType),
      Self.strings("glasswareType", "glasswareType"),
      Self.strings("historical", "algonquin", "alaska", "betweenTheSheets"),
      Self.strings("ice", "ice"), ModelPart.attribute("id", .UUIDAttributeType),
      ModelPart.attribute("notes"),
      Self.composite(
        "tags",
        ["flavors", "profiles", "styles", "booze", "nA"].map { ($0, .binaryDataAttributeType) }),
      Self.strings("variation", "variation"), garnishes,
    ]
    let schema = try PlainSQL(url: StoreFixture(ModelPart.model([cocktail, garnish])).url).schema
    #expect(
      schema[0]
        == "CREATE TABLE ZCOCKTAIL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZCOLLECTION INTEGER, ZFAVORITE INTEGER, ZPERSON VARCHAR, ZPLACE VARCHAR, ZYEAR VARCHAR, "
        + "ZCOCKTAILNAME VARCHAR, ZCOLLECTIONNAME VARCHAR, ZGLASSWARETYPE VARCHAR, "
        + "ZALGONQUIN VARCHAR, ZALASKA VARCHAR, ZBETWEENTHESHEETS VARCHAR, ZICE VARCHAR, "
        + "ZNOTES VARCHAR, ZVARIATION VARCHAR, ZID BLOB, ZID1 BLOB, ZINSTRUCTIONS BLOB, "
        + "ZFLAVORS BLOB, ZPROFILES BLOB, ZSTYLES BLOB, ZBOOZE BLOB, ZNA BLOB )")
    #expect(
      schema[1] == "CREATE TABLE Z_1GARNISH ( Z_1COCKTAILS INTEGER, Z_2GARNISH INTEGER, "
        + "PRIMARY KEY (Z_1COCKTAILS, Z_2GARNISH) )")
  }

  @Test func twoCompositesOfOneKindShareTheNames() throws {
    let image = ModelPart.entity("CocktailImage")
    let colour: [(String, NSAttributeType)] = [
      "linearRed", "linearGreen", "linearBlue", "opacity",
    ].map { ($0, .floatAttributeType) }
    image.properties = [
      Self.composite("iceColor", colour), Self.composite("liquidColor", colour),
      ModelPart.attribute("drinkLayer"),
    ]
    let schema = try PlainSQL(url: StoreFixture(ModelPart.model([image])).url).schema
    #expect(
      schema[0]
        == "CREATE TABLE ZCOCKTAILIMAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZLINEARRED FLOAT, ZLINEARGREEN FLOAT, ZLINEARBLUE FLOAT, ZOPACITY FLOAT, "
        + "ZLINEARRED1 FLOAT, ZLINEARGREEN1 FLOAT, ZLINEARBLUE1 FLOAT, ZOPACITY1 FLOAT, "
        + "ZDRINKLAYER VARCHAR )")
  }

  @Test func theHashIsThatOfAFileOfApples() {
    let base = ModelPart.entity("IngredientBase")
    func attribute(
      _ name: String, _ type: NSAttributeType, isOptional: Bool = false
    ) -> NSAttributeDescription {
      ModelPart.attribute(name, type) { $0.isOptional = isOptional }
    }
    base.properties =
      ["baseCategory", "name", "specialtyCategory", "umbrellaCategory"].map {
        attribute($0, .stringAttributeType)
      } + [
        attribute("id", .UUIDAttributeType),
        attribute("info", .stringAttributeType, isOptional: true),
        attribute("isCustom", .booleanAttributeType),
        Self.composite(
          "prep",
          [
            ("id", .UUIDAttributeType), ("prepIngredientName", .stringAttributeType),
            ("prepRecipe", .binaryDataAttributeType),
          ]),
        Self.composite(
          "tags",
          ["flavors", "profiles", "styles", "booze", "nA"].map { ($0, .binaryDataAttributeType) }),
      ]
    base.uniquenessConstraints = [["name"]]
    let model = ModelPart.model([base])
    let hash = model.entityVersionHashesByName["IngredientBase"] ?? Data()
    #expect(
      hash.map { String(format: "%02x", $0) }.joined()
        == "a017653989a9a1b642674e178f21d0f983180ef6b26dc16736063535ab22e615")
  }

  @Test func aConstraintOverAWholeCompositeIsRefused() throws {
    let place = ModelPart.entity("Place")
    place.properties = [Self.strings("home", "city")]
    place.uniquenessConstraints = [["home"]]
    let error = #expect(throws: NSError.self) { try StoreFixture(ModelPart.model([place])) }
    let reason = error?.userInfo["reason"] as? String ?? ""
    #expect(reason.contains("home"))
  }

  /// A version hash does not tell these models apart: two composites are alike, and their names do not count.
  private static func renamed(_ name: String) -> NSManagedObjectModel {
    let person = ModelPart.entity("Person")
    person.properties = [strings(name, "city"), strings("work", "city")]
    return ModelPart.model([person])
  }

  @Test func aCompositeOfAnotherNameOpensUnlessColumnsWouldChangePlaces() throws {
    let fixture = try StoreFixture(Self.renamed("home"))
    try fixture.insert("Person", [["home.city": .text("Ulm"), "work.city": .text("Bonn")]])
    try fixture.close()
    let same = try StoreFixture(Self.renamed("house"), at: fixture.url)
    #expect(try same.keys("Person", "house.city == 'Ulm' AND work.city == 'Bonn'") == [1])
    try same.close()
    let error = #expect(throws: NSError.self) {
      try StoreFixture(Self.renamed("zone"), at: fixture.url)
    }
    #expect(error?.code == CocoaError.Code.persistentStoreIncompatibleSchema.rawValue)
    let reason = error?.userInfo["reason"] as? String ?? ""
    #expect(reason.contains("“work.city” of “Person” is in the column ZCITY1"))
  }
}
