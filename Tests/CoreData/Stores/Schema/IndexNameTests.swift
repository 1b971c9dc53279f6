import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Indexes of one name: Xcode's compiler has described an indexed attribute twice, and Apple's files have one index
/// then. SQLite's names have no case.
@Suite struct IndexNameTests {
  private typealias Named = (name: String, attribute: String, type: NSFetchIndexElementType)

  private static let cases: [[Named]] = [
    [("byName", "name", .binary), ("byName", "name", .binary)],
    [("byName", "name", .binary), ("byName", "kind", .binary)],
    [("byName", "name", .binary), ("BYNAME", "name", .binary)],
    [("bounds", "latitude", .rTree), ("bounds", "latitude", .rTree)],
    [("bounds", "latitude", .rTree), ("bounds", "kind", .binary)],
    [("byName", "name", .binary), ("byName", "kind", .binary), ("byKind", "kind", .binary)],
  ]

  private static func model(
    _ indexes: [Named], further: String? = nil
  ) -> NSManagedObjectModel {
    let (place, other) = (ModelPart.entity("Place"), ModelPart.entity("Place_a"))
    place.properties =
      [
        ModelPart.attribute("latitude", .doubleAttributeType),
        ModelPart.attribute("name"),
        ModelPart.attribute("kind", .integer16AttributeType),
      ] + (further.map { [ModelPart.attribute($0, .stringAttributeType)] } ?? [])
    other.properties = [ModelPart.attribute("name")]
    func index(_ named: Named, _ entity: NSEntityDescription) -> NSFetchIndexDescription {
      let property = entity.propertiesByName[named.attribute] ?? NSPropertyDescription()
      return NSFetchIndexDescription(
        name: named.name,
        elements: [NSFetchIndexElementDescription(property: property, collationType: named.type)])
    }
    // The names in the file are those of an index “a_b” of Place and of an index “b” of Place_a.
    place.indexes = indexes.map { index($0, place) } + [index(("a_b", "name", .binary), place)]
    other.indexes = [index(("b", "name", .binary), other)]
    place.uniquenessConstraints = [["name"], ["name"]]
    let model = NSManagedObjectModel()
    model.entities = [place, other]
    return model
  }

  private func names(_ url: URL) throws -> [String] {
    try PlainSQL(url: url).rows(
      "SELECT lower(name) FROM sqlite_master WHERE name LIKE 'Z\\_Place\\_%' ESCAPE '\\' "
        + "OR name LIKE 'Z\\_RT\\_%' ESCAPE '\\' ORDER BY 1")
  }

  @Test(arguments: cases.indices)
  func theFirstIsMadeAndTheStoreGoesOn(number: Int) throws {
    let indexes = Self.cases[number]
    let fixture = try StoreFixture(Self.model(indexes))
    let made = try names(fixture.url)
    #expect(Set(made).count == made.count && made.contains("z_place_a_b"))
    _ = try fixture.insert("Place", [["latitude": .real(1), "name": .text("a")]])
    try fixture.close()
    // Opening again makes none anew.
    let again = try StoreFixture(Self.model(indexes), in: fixture.folder)
    #expect(try names(again.url) == made)
    #expect(try again.keys("Place", "name == 'a'") == [1])
    try again.close()
    // A migration that makes the table anew.
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: Self.model(indexes, further: "note"))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: again.url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
      ])
    try coordinator.remove(store)
    #expect(try names(again.url) == made)
  }

  private static func model(expression text: String) -> NSManagedObjectModel {
    let (entry, photo) = (ModelPart.entity("Entry"), ModelPart.entity("Photo"))
    entry.properties = [ModelPart.attribute("date", .dateAttributeType)]
    entry.subentities = [photo]
    let computed = NSExpressionDescription()
    computed.name = "expression1"
    computed.expression = CoreData.NSExpression(format: text)
    let date = entry.propertiesByName["date"] ?? NSPropertyDescription()
    entry.indexes = [
      NSFetchIndexDescription(
        name: "compound",
        elements: [
          NSFetchIndexElementDescription(property: computed, collationType: .binary),
          NSFetchIndexElementDescription(property: date, collationType: .binary),
        ])
    ]
    let model = NSManagedObjectModel()
    model.entities = [entry, photo]
    return model
  }

  /// As in the libraries of Photos; an index over another expression is none, and no error.
  @Test(arguments: [
    (
      "entity",
      "CREATE INDEX Z_Entry_compound ON ZENTRY (Z_ENT COLLATE BINARY ASC, ZDATE COLLATE BINARY ASC)"
    ),
    ("self", nil), ("nothing", nil), ("date.year", nil), ("now()", nil),
  ])
  func anIndexOverAnExpression(text: String, creation: String?) throws {
    let model = Self.model(expression: text)
    let fixture = try StoreFixture(model)
    let found = try PlainSQL(url: fixture.url).rows(
      "SELECT sql FROM sqlite_master WHERE name = 'Z_Entry_compound'")
    #expect(found == (creation.map { [$0] } ?? []))
    _ = try fixture.insert("Photo", [["date": .real(1)]])
    try fixture.close()
    let file = fixture.folder.appendingPathComponent("Model.xcdatamodel")
    try model.write(to: file)
    let read = try ModelPackage(url: file).currentModel()
    #expect(read.entitiesByName["Entry"]?.indexes.first?.elements.count == 2)
  }
}
