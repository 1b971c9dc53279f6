import CoreData
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// From a model's file to the model. The peers read the same file and know nothing of models: an XML parser whose
/// delegate counts elements, and Foundation's reader of property lists.
extension Scenario {
  static func loadModel(_ count: Int, extension name: String, in workspace: Workspace) throws
    -> Scenario
  {
    let url = workspace.newFile().appendingPathExtension(name)
    try ManyEntities.model(count).write(to: url)
    let file = name == "mom" ? url : url.appendingPathComponent("contents")
    return Scenario(
      unit: .milliseconds,
      contestants: [
        .ours { _ in try loadOurs(url, count) },
        Contestant(name: "raw") { _ in try name == "mom" ? readList(file) : parse(file) },
      ])
  }

  private static func loadOurs(_ url: URL, _ count: Int) throws -> Outcome {
    var entities = 0
    let duration = try ContinuousClock().measure {
      entities = try NSManagedObjectModel(contentsOfModelAt: url).entities.count
    }
    try BenchmarkError.expect("entities", entities, toBe: count)
    return Outcome(duration: duration, checksum: Checksum())
  }

  private static func readList(_ file: URL) throws -> Outcome {
    let duration = try ContinuousClock().measure {
      _ = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
    }
    return Outcome(duration: duration, checksum: Checksum())
  }

  private static func parse(_ file: URL) throws -> Outcome {
    let counter = ElementCounter()
    let duration = try ContinuousClock().measure {
      let parser = XMLParser(data: try Data(contentsOf: file))
      parser.delegate = counter
      guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }
    try BenchmarkError.expect("elements", counter.count > 0 ? 1 : 0, toBe: 1)
    return Outcome(duration: duration, checksum: Checksum())
  }
}

private final class ElementCounter: NSObject, XMLParserDelegate {
  private(set) var count = 0

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) { count += 1 }
}

/// Entities as an application has them: ten attributes, a relationship to the next entity and back, an index.
private enum ManyEntities {
  static func model(_ count: Int) -> NSManagedObjectModel {
    let entities = (0..<count).map(entity)
    for (number, entity) in entities.enumerated() {
      let next = entities[(number + 1) % count]
      let (there, back) = (relationship("next", next, 1), relationship("previous", entity, 0))
      there.inverseRelationship = back
      back.inverseRelationship = there
      entity.properties += [there]
      next.properties += [back]
    }
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  private static func entity(_ number: Int) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = "Entity\(number)"
    entity.managedObjectClassName = "Entity\(number)"
    let types: [NSAttributeType] = [
      .stringAttributeType, .integer64AttributeType, .doubleAttributeType, .booleanAttributeType,
      .dateAttributeType,
    ]
    entity.properties = (0..<10).map { place in
      let attribute = NSAttributeDescription()
      attribute.name = "attribute\(place)"
      attribute.attributeType = types[place % types.count]
      if attribute.attributeType == .integer64AttributeType {
        attribute.defaultValue = 0
        attribute.setValidationPredicates(
          [NSPredicate(format: "SELF >= 0")], withValidationWarnings: [NSNumber(value: 1620)])
      }
      return attribute
    }
    let elements = ["attribute0", "attribute1"].map { name in
      NSFetchIndexElementDescription(
        property: entity.propertiesByName[name]!, collationType: .binary)
    }
    entity.indexes = [NSFetchIndexDescription(name: "byAttributes", elements: elements)]
    return entity
  }

  private static func relationship(
    _ name: String, _ destination: NSEntityDescription, _ maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    return relationship
  }
}
