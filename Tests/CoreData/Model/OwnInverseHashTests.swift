import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// A relationship that is its own inverse is hashed without the name of its inverse, as three stores of Apple's
/// photo libraries show (frameworks 977 and 1044).
struct OwnInverseHashTests {
  private static let attributes: [(String, NSAttributeType, optional: Bool, modifier: String?)] = [
    ("ageType", .integer16AttributeType, false, nil),
    ("cloudDeleteState", .integer16AttributeType, false, nil),
    ("cloudLocalState", .integer16AttributeType, false, nil),
    ("cloudVerifiedType", .integer32AttributeType, true, nil),
    ("contactMatchingDictionary", .transformableAttributeType, true, nil),
    ("displayName", .stringAttributeType, true, nil),
    ("faceCount", .integer32AttributeType, false, "2016113001"),
    ("fullName", .stringAttributeType, true, nil),
    ("genderType", .integer16AttributeType, false, nil),
    ("inPersonNamingModel", .booleanAttributeType, false, nil),
    ("keyFacePickSource", .integer16AttributeType, false, nil),
    ("manualOrder", .integer32AttributeType, false, nil),
    ("personUUID", .stringAttributeType, true, nil),
    ("personUri", .stringAttributeType, true, nil),
    ("questionType", .integer16AttributeType, false, nil),
    ("type", .integer32AttributeType, false, "2016092101"),
    ("verifiedType", .integer32AttributeType, false, nil),
  ]

  private static let relationships = [
    ("associatedFaceGroup", "DetectedFaceGroup", "associatedPerson", 1),
    ("clusterRejectedFaces", "DetectedFace", "clusterRejectedPersons", 0),
    ("detectedFaces", "DetectedFace", "person", 0), ("faceCrops", "FaceCrop", "person", 0),
    ("invalidMergeCandidates", "Person", "invalidMergeCandidates", 0),
    ("keyFace", "DetectedFace", "personBeingKeyFace", 1),
    ("mergeCandidates", "Person", "mergeCandidates", 0),
    ("mergeSourcePersons", "Person", "mergeTargetPerson", 0),
    ("mergeTargetPerson", "Person", "mergeSourcePersons", 1),
    ("personReferences", "PersonReference", "person", 0),
    ("rejectedFaces", "DetectedFace", "rejectedPersons", 0),
    ("rejectedFacesNeedingFaceCrops", "DetectedFace", "rejectedPersonsNeedingFaceCrops", 0),
  ]

  private static func person() -> NSEntityDescription {
    let person = NSEntityDescription()
    person.name = "Person"
    person.versionHashModifier = "11066"
    person.properties =
      attributes.map { name, type, isOptional, modifier in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        attribute.versionHashModifier = modifier
        attribute.preservesValueInHistoryOnDeletion = ["cloudDeleteState", "personUUID"]
          .contains(name)
        return attribute
      }
      + relationships.map { name, destination, inverse, count in
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.setNames(destination: destination, inverse: inverse)
        relationship.maxCount = count
        return relationship
      }
    return person
  }

  @Test func anEntityHasTheHashOfARealStore() {
    #expect(
      Self.person().versionHash.hexadecimal
        == "660167c5a8b78c0439d3a82c1287fed8ef61c4f280897a1d2882d680abaf89f3")
  }

  // MARK: - Stores of earlier versions

  private static func model() -> NSManagedObjectModel {
    let (person, pet) = (ModelPart.entity("Person"), ModelPart.entity("Pet"))
    func relationship(_ name: String, _ count: Int) -> NSRelationshipDescription {
      let relationship = NSRelationshipDescription()
      relationship.name = name
      relationship.maxCount = count
      relationship.destinationEntity = person
      relationship.inverseRelationship = relationship
      return relationship
    }
    person.properties = [
      ModelPart.attribute("name"), relationship("friends", 0),
      relationship("spouse", 1),
    ]
    person.uniquenessConstraints = [["name"]]
    person.versionHashModifier = "2"
    pet.properties = [ModelPart.attribute("name")]
    let model = NSManagedObjectModel()
    model.entities = [person, pet]
    return model
  }

  /// What the entity's hash was when relationships that are their own inverses had their names hashed.
  private static func formerHash(of person: NSEntityDescription) -> Data {
    VersionHash.entity(
      name: "Person", isAbstract: false, superentity: nil,
      properties: person.properties.map { property in
        let relationship = property as? NSRelationshipDescription
        return (
          property.name, relationship?.versionHash(isOwnInverse: false) ?? property.versionHash
        )
      }, uniquenessConstraints: person.uniquenessConstraintNames,
      modifier: person.versionHashModifier)
  }

  @Test(arguments: [StoreKind.sqlite, .xml, .binary])
  func aStoreWithTheFormerHashOpensAndIsRenewed(kind: StoreKind) throws {
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent("Store.data")
    let model = Self.model()
    func open() throws -> NSPersistentStoreCoordinator {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: kind.rawValue, configurationName: nil, at: url, options: nil)
      return coordinator
    }
    func metadata() throws -> [String: Any] {
      try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: kind.rawValue, at: url)
    }
    func save(_ name: String) throws -> Int {
      let coordinator = try open()
      let context = coordinator.makeContext()
      let count = try context.performAndWait {
        let found = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(name, forKey: "name")
        person.setValue(NSSet(object: person), forKey: "friends")
        try context.save()
        return found
      }
      try coordinator.removeStores()
      return count
    }
    #expect(try save("a") == 0)
    let person = try #require(model.entitiesByName["Person"])
    #expect(Self.formerHash(of: person) != person.versionHash)
    var former = try metadata()
    var hashes = try #require(former[NSStoreModelVersionHashesKey] as? [String: Data])
    #expect(hashes["Person"] == person.versionHash)
    hashes["Person"] = Self.formerHash(of: person)
    former[NSStoreModelVersionHashesKey] = hashes
    try NSPersistentStoreCoordinator.setMetadata(
      former, forPersistentStoreOfType: kind.rawValue, at: url)
    #expect(try save("b") == 1)
    let renewed = try metadata()[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(renewed?["Person"] == person.versionHash)
  }

  /// A model's file and the model made of it have the same hashes.
  @Test func documentsAreHashedAsModelsAre() throws {
    let folder = try StoreFixture.makeFolder()
    let url = folder.appendingPathComponent("Model.xcdatamodel")
    let model = Self.model()
    try model.write(to: url)
    let file = url.appendingPathComponent("contents")
    let document = try ModelDocument(data: Data(contentsOf: file), file: file.path)
    #expect(document.versionHashes() == model.entityVersionHashesByName)
  }
}
