import Foundation
import Testing

@testable import CoreData

/// The models of the five applications.
struct ApplicationModelTests {
  struct Expected: Decodable {
    let hashes: [String: String]
    let checksum: String
    let digest: String
  }

  static let names = ["NestedLists", "Goods", "Books", "Heroes", "Employees"]

  private static let fixtures = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")

  static func model(_ name: String) throws -> NSManagedObjectModel {
    let examples = fixtures.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Examples/\(name)")
    let places = [fixtures, examples].map { $0.appendingPathComponent("\(name).xcdatamodeld") }
    let url = places.first { FileManager.default.fileExists(atPath: $0.path) }
    return try NSManagedObjectModel(contentsOfModelAt: #require(url, "no model named \(name)"))
  }

  @Test(arguments: names)
  func hashesAreThoseOfAnIndependentProgram(name: String) throws {
    let table = try JSONDecoder().decode(
      [String: Expected].self,
      from: Data(contentsOf: Self.fixtures.appendingPathComponent("VersionHashes.json")))
    let expected = try #require(table[name])
    let model = try Self.model(name)
    #expect(model.entityVersionHashesByName.mapValues(\.hexadecimal) == expected.hashes)
    #expect(model.versionChecksum == expected.checksum)
    #expect(model.versionHashesDigest == expected.digest)
  }

  @Test(arguments: names)
  func survivesBothArchives(name: String) throws {
    let model = try Self.model(name)
    #expect(try NSManagedObjectModel(archivedData: model.compiledData()) == model)
    #expect(try NSManagedObjectModel(archivedData: model.archivedData()) == model)
  }

  @Test func itemsHaveWhatTheListsNeed() throws {
    let item = try #require(Self.model("NestedLists").entitiesByName["Item"])
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
