import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Single descriptions in keyed archives.
struct DescriptionCodingTests {
  private func roundTrip<Object: NSObject & NSCoding>(_ object: Object) throws -> Object? {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
  }

  private func roundTripOfKind(_ property: NSPropertyDescription) throws -> NSPropertyDescription? {
    switch property {
    case let property as NSDerivedAttributeDescription: try roundTrip(property)
    case let property as NSCompositeAttributeDescription: try roundTrip(property)
    case let property as NSAttributeDescription: try roundTrip(property)
    case let property as NSRelationshipDescription: try roundTrip(property)
    case let property as NSFetchedPropertyDescription: try roundTrip(property)
    default: nil
    }
  }

  @Test func entitiesPropertiesAndIndexesAreArchivedAlone() throws {
    var kinds: Set<String> = []
    for seed in UInt64(1)...4 {
      for entity in RandomModel.model(seed: seed).entities {
        let copy = try #require(entity.copy() as? NSEntityDescription)
        #expect(try roundTrip(entity) == copy, "seed \(seed)")
        for property in entity.ownProperties {
          kinds.insert("\(type(of: property))")
          let read = try roundTripOfKind(property)
          #expect(read == property, "seed \(seed): \(property)")
          #expect(read?.versionHash == property.versionHash, "seed \(seed): \(property)")
        }
        for index in entity.indexes {
          #expect(try roundTrip(index) == index, "seed \(seed): \(index.name)")
          for element in index.elements { #expect(try roundTrip(element) == element) }
        }
      }
    }
    #expect(kinds.count == 5, "\(kinds)")
  }

  @Test func aDefaultValueOfAClientsClassIsArchivedAsItArchivesItself() throws {
    let attribute = NSAttributeDescription()
    attribute.name = "cover"
    attribute.attributeType = .transformableAttributeType
    attribute.defaultValue = ArchivedCover("outer", inner: ArchivedCover("inner"))
    let entity = NSEntityDescription()
    entity.name = "Book"
    entity.properties = [attribute]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let found = try #require(
      try roundTrip(model)?.entitiesByName["Book"]?.attributesByName["cover"])
    let cover = try #require(found.defaultValue as? ArchivedCover)
    #expect(cover.text == "outer" && cover.inner?.text == "inner")
    // The store keeps its model in the same way.
    let stack = try TestStack(.sqlite, model: model)
    try stack.withContext { context in
      context.insert("Book", [:])
      try context.save()
    }
    let url = try #require(stack.coordinator.persistentStores.first?.url)
    let cached = try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url)
    #expect(cached.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  @Test func anExpressionDescriptionIsArchivedAlone() throws {
    let computed = NSExpressionDescription()
    computed.name = "total"
    computed.expression = NSExpression(format: "max:(price)")
    computed.expressionResultType = .doubleAttributeType
    #expect(try roundTrip(computed) == computed)
  }

  @Test func anotherKindIsNoProperty() throws {
    let attribute = NSAttributeDescription()
    attribute.name = "title"
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: attribute, requiringSecureCoding: true)
    let coder = try NSKeyedUnarchiver(forReadingFrom: data)
    coder.decodingFailurePolicy = .setErrorAndReturn
    coder.setClass(
      NSRelationshipDescription.self, forClassName: NSStringFromClass(NSAttributeDescription.self))
    let read = coder.decodeObject(
      of: NSRelationshipDescription.self, forKey: NSKeyedArchiveRootObjectKey)
    #expect(read == nil)
  }

  @Test func theChecksumsOfAPackageAreThoseOfItsVersions() throws {
    let folder = try StoreFixture.makeFolder()
    let versions = ["V1": RandomModel.model(seed: 1), "V2": RandomModel.model(seed: 2)]
    for name in ["Model.momd", "Model.xcdatamodeld"] {
      let url = folder.appendingPathComponent(name)
      try NSManagedObjectModel.write(versions, currentVersion: "V2", to: url)
      #expect(
        try NSManagedObjectModel.__checksumsForVersionedModel(at: url)
          == versions.mapValues(\.versionChecksum))
    }
    #expect(throws: ModelFileError.self) {
      try NSManagedObjectModel.__checksumsForVersionedModel(
        at: folder.appendingPathComponent("None.momd"))
    }
  }
}

/// A client's class that archives itself, with another one inside. Foundation archives no nested class.
final class ArchivedCover: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let text: String
  let inner: ArchivedCover?

  init(_ text: String, inner: ArchivedCover? = nil) { (self.text, self.inner) = (text, inner) }

  func encode(with coder: NSCoder) {
    coder.encode(text, forKey: "text")
    coder.encode(inner, forKey: "inner")
  }

  init?(coder: NSCoder) {
    text = coder.decodeObject(of: NSString.self, forKey: "text") as String? ?? ""
    inner = coder.decodeObject(of: ArchivedCover.self, forKey: "inner")
  }
}
