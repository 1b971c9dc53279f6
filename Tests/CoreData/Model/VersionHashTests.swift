import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Version hashes against those that Apple's framework wrote into real stores.
@Suite(.enabled(if: Corpus.isNamed, Corpus.reason))
struct VersionHashTests {
  @Test func reproducesTheHashesOfRealEntities() throws {
    let vectors = try JSONDecoder().decode(
      [EntityVector].self, from: Corpus.data("vectors/hash_vectors.json"))
    try #require(vectors.count == 35)
    for vector in vectors where vector.reproducedByRule {
      #expect(vector.makeEntity().versionHash.hexadecimal == vector.hash, "\(vector.name)")
    }
    #expect(vectors.filter { !$0.reproducedByRule }.count == 4, "those with a derived attribute")
  }

  @Test func reproducesTheDigestsOfRealStores() throws {
    let stores = try JSONDecoder().decode(
      [StoreVector].self, from: Corpus.data("vectors/store_digests.json"))
    try #require(!stores.isEmpty)
    for store in stores {
      let hashes = store.hashes.mapValues(Data.init(hexadecimal:))
      if let digest = store.digest {
        #expect(VersionHash.digest(of: hashes) == digest, "\(store.store)")
      }
      if let checksum = store.checksum {
        #expect(VersionHash.checksum(of: hashes) == checksum, "\(store.store)")
      }
    }
  }
}

private struct StoreVector: Decodable {
  var store: String
  var hashes: [String: String]
  var digest: String?
  var checksum: String?
}

/// An entity of which only the hash is known.
private final class HashedEntity: NSEntityDescription, @unchecked Sendable {
  private var knownHash = Data()

  convenience init(hash: Data) {
    self.init()
    knownHash = hash
  }

  override var versionHash: Data { knownHash }
}

private struct EntityVector: Decodable {
  var name: String
  var properties: [PropertyVector]
  var hash: String
  var abstract: Bool?
  var unique: [[String]]?
  var modifier: String?
  var superHash: String?
  var reproducedByRule: Bool

  /// The properties of a vector are all of them, so its superentity has none here.
  func makeEntity() -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.isAbstract = abstract ?? false
    entity.versionHashModifier = modifier
    entity.uniquenessConstraints = unique ?? []
    entity.properties = properties.map { $0.makeProperty() }
    guard let superHash else { return entity }
    let parent = HashedEntity(hash: Data(hexadecimal: superHash))
    parent.subentities = [entity]
    let kept = Kept(entity: parent)
    EntityVector.parents.withLock { $0.append(kept) }
    return entity
  }

  /// Keeps the superentities, which their subentities do not keep alive.
  private static let parents = Mutex<[Kept]>([])

  /// Sendable: nobody looks at it again.
  private struct Kept: @unchecked Sendable {
    let entity: HashedEntity
  }
}

private struct PropertyVector: Decodable {
  var name: String
  var kind: String
  var optional: Bool?
  var transient: Bool?
  var hashModifier: String?
  var type: UInt?
  var flags: Int?
  var min: Int?
  var max: Int?
  var destination: String?
  var inverse: String?
  var ordered: Bool?

  func makeProperty() -> NSPropertyDescription {
    let property = makeKind()
    property.name = name
    property.isOptional = optional ?? false
    property.isTransient = transient ?? false
    property.versionHashModifier = hashModifier
    return property
  }

  private func makeKind() -> NSPropertyDescription {
    switch kind {
    case "NSRelationshipDescription": makeRelationship()
    case "NSFetchedPropertyDescription": NSFetchedPropertyDescription()
    default: makeAttribute()
    }
  }

  private func makeAttribute() -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.attributeType = NSAttributeType(rawValue: type ?? 0) ?? .undefinedAttributeType
    attribute.allowsExternalBinaryDataStorage = (flags ?? 0) & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = (flags ?? 0) & 16 != 0
    return attribute
  }

  private func makeRelationship() -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.setNames(destination: destination, inverse: inverse)
    relationship.maxCount = max ?? 0
    relationship.minCount = min ?? 0
    relationship.isOrdered = ordered ?? false
    return relationship
  }
}

extension Data {
  init(hexadecimal text: String) {
    let digits = Array(text)
    self.init(
      stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      })
  }
}
