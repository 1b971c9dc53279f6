import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// The models of the five applications.
struct ApplicationModelTests {
  struct Expected: Decodable {
    let hashes: [String: String]
    let checksum: String
    let digest: String
  }

  @Test(arguments: ApplicationModels.names)
  func hashesAreThoseOfAnIndependentProgram(name: String) throws {
    let table = try JSONDecoder().decode(
      [String: Expected].self,
      from: Data(
        contentsOf: ApplicationModels.fixtures.appendingPathComponent("VersionHashes.json")))
    let expected = try #require(table[name])
    let model = try ApplicationModels.model(name)
    #expect(model.entityVersionHashesByName.mapValues(\.hexadecimal) == expected.hashes)
    #expect(model.versionChecksum == expected.checksum)
    #expect(model.versionHashesDigest == expected.digest)
  }

  @Test(arguments: ApplicationModels.names)
  func survivesBothArchives(name: String) throws {
    let model = try ApplicationModels.model(name)
    #expect(try NSManagedObjectModel(archivedData: model.compiledData()) == model)
    #expect(try NSManagedObjectModel(archivedData: model.archivedData()) == model)
  }

  @Test func itemsHaveWhatTheListsNeed() throws {
    let item = try #require(ApplicationModels.model("NestedLists").entitiesByName["Item"])
    let children = try #require(item.relationshipsByName["children"])
    let parent = try #require(item.relationshipsByName["parent"])
    #expect(item.attributesByName["order"]?.defaultValue as? Int64 == 0)
    #expect(item.attributesByName["title"]?.isOptional == true)
    #expect(children.isToMany && children.deleteRule == .cascadeDeleteRule)
    #expect(!parent.isToMany && parent.deleteRule == .nullifyDeleteRule)
    #expect(children.inverseRelationship === parent && parent.inverseRelationship === children)
    #expect(children.destinationEntity === item)
  }
}
