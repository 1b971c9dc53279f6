import CoreDataSupport
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSamples

/// Rules of version hashes that were found in stores whose models are small enough to stand here.
struct VersionHashRuleTests {
  private func attribute(
    _ name: String, _ type: NSAttributeType, optional: Bool = false
  ) -> NSAttributeDescription {
    ModelPart.attribute(name, type, isOptional: optional)
  }

  private func ingredient() -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = "IngredientBase"
    entity.uniquenessConstraints = [["name"]]
    let texts = ["baseCategory", "name", "specialtyCategory", "umbrellaCategory"]
    entity.properties =
      texts.map { attribute($0, .stringAttributeType) } + [
        attribute("id", .UUIDAttributeType), attribute("isCustom", .booleanAttributeType),
        attribute("info", .stringAttributeType, optional: true),
        PlacesModel.composite(
          "prep",
          [
            attribute("id", .UUIDAttributeType, optional: true),
            attribute("prepIngredientName", .stringAttributeType, optional: true),
            attribute("prepRecipe", .binaryDataAttributeType, optional: true),
          ]),
        PlacesModel.composite(
          "tags",
          ["flavors", "profiles", "styles", "booze", "nA"].map {
            attribute($0, .binaryDataAttributeType, optional: true)
          }),
      ]
    return entity
  }

  @Test func anEntityWithCompositesHasTheHashOfARealStore() {
    #expect(
      ingredient().versionHash.hexadecimal
        == "a017653989a9a1b642674e178f21d0f983180ef6b26dc16736063535ab22e615")
  }

  /// An entity with both was found in a store of framework 1345, whose other properties would not stand here; the rule
  /// that it shows is that the modifier comes first.
  @Test func theModifierComesBeforeConstraints() {
    func entity(_ names: [[String]], _ modifier: String?) -> NSEntityDescription {
      let entity = NSEntityDescription()
      entity.name = "Call"
      entity.uniquenessConstraints = names
      entity.versionHashModifier = modifier
      return entity
    }
    // Neither has a separator, so that a name and a modifier may stand for each other.
    #expect(entity([["b"]], "a").versionHash == entity([["ab"]], nil).versionHash)
    #expect(entity([["b"]], "a").versionHash != entity([["a"]], "b").versionHash)
  }

  @Test func ofACompositeOnlyTheElementsCount() throws {
    let entity = ingredient()
    let hash = entity.versionHash
    let tags = try #require(entity.propertiesByName["tags"] as? NSCompositeAttributeDescription)
    tags.isOptional = false
    tags.userInfo = ["k": "v"]
    tags.elements.reverse()
    #expect(entity.versionHash == hash)
    tags.elements.removeLast()
    #expect(entity.versionHash != hash)
  }

  @Test func compositesAreArchivedAsApplesAre() throws {
    let model = NSManagedObjectModel()
    model.entities = [ingredient()]
    let read = try NSManagedObjectModel(archivedData: model.compiledData())
    #expect(read == model)
    let keys = try ArchiveShape.keySets(of: model.compiledData())["NSCompositeAttributeDescription"]
    #expect(keys?.allSatisfy { $0.contains("NSCompositeElements") } == true)
    #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
  }

  /// All orders of three constraints, one of which begins as another does.
  @Test func constraintsCountInSortedOrder() {
    let constraints = [["uuid"], ["syncIdentifier", "uuid"], ["syncIdentifier"]]
    var hashes: Set<Data> = []
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let entity = NSEntityDescription()
      entity.name = "Sample"
      entity.properties = [
        attribute("uuid", .UUIDAttributeType), attribute("syncIdentifier", .stringAttributeType),
      ]
      entity.uniquenessConstraints = order.map { constraints[$0] }
      hashes.insert(entity.versionHash)
    }
    #expect(hashes.count == 1)
  }

  @Test func textIsHashedInTheRealOrder() {
    let entity = NSEntityDescription()
    entity.name = "E"
    entity.uniquenessConstraints = [["uuid"], ["syncIdentifier"]]
    let message = Array("E".utf8) + [0] + Array("syncIdentifieruuid".utf8)
    #expect(Array(entity.versionHash) == SHA256Digest.hash(message))
  }
}
