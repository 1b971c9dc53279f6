import Foundation

extension ModelXMLReader {
  private static let deleteRules: [String: NSDeleteRule] = [
    "No Action": .noActionDeleteRule, "Nullify": .nullifyDeleteRule,
    "Cascade": .cascadeDeleteRule, "Deny": .denyDeleteRule,
  ]

  func relationship(
    from element: ModelElement, entity: String
  ) throws -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    try setCommon(of: relationship, from: element)
    guard let destination = element["destinationEntity"] else {
      throw error(
        element, entity: entity, property: relationship.name, "it has no destination entity")
    }
    relationship.setNames(destination: destination, inverse: element["inverseName"])
    relationship.maxCount =
      try count("maxCount", element, entity) ?? (element.isYes("toMany") ? 0 : 1)
    relationship.minCount = try count("minCount", element, entity) ?? 0
    relationship.isOrdered = element.isYes("ordered")
    relationship.deleteRule = try deleteRule(of: element, entity: entity)
    return relationship
  }

  private func count(_ name: String, _ element: ModelElement, _ entity: String) throws -> Int? {
    guard let text = element[name] else { return nil }
    guard let count = Int(text), count >= 0 else {
      throw error(
        element, entity: entity, property: element["name"], "\(name) “\(text)” is not a count")
    }
    return count
  }

  private func deleteRule(of element: ModelElement, entity: String) throws -> NSDeleteRule {
    let text = element["deletionRule"] ?? "No Action"
    guard let rule = Self.deleteRules[text] else {
      throw error(
        element, entity: entity, property: element["name"], "“\(text)” is not a deletion rule")
    }
    return rule
  }

  /// Checks that destinations exist and that inverses lead back.
  func checkReferences(in model: NSManagedObjectModel, elements: [ModelElement]) throws {
    for (entity, element) in zip(model.entities, elements) {
      try checkNames(of: entity, element: element)
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        let place =
          element.children.first { $0["name"] == relationship.name } ?? element
        guard let problem = problem(with: relationship) else { continue }
        throw error(place, entity: entity.name, property: relationship.name, problem)
      }
    }
  }

  /// Checks the names in indexes and uniqueness constraints, which may be inherited ones.
  private func checkNames(of entity: NSEntityDescription, element: ModelElement) throws {
    let known = entity.propertiesByName
    for name in entity.uniquenessConstraintNames.flatMap(\.self) where known[name] == nil {
      throw error(
        element, entity: entity.name,
        "a uniqueness constraint names “\(name)”, which is not a property")
    }
    for index in entity.indexes {
      for indexed in index.elements where indexed.property == nil {
        throw error(
          element, entity: entity.name,
          "the index “\(index.name)” names “\(indexed.propertyName ?? "")”, which is not a property"
        )
      }
    }
  }

  private func problem(with relationship: NSRelationshipDescription) -> String? {
    let name = relationship.destinationEntityName ?? ""
    guard let destination = relationship.destinationEntity else {
      return "its destination entity “\(name)” does not exist"
    }
    guard let inverseName = relationship.inverseRelationshipName else { return nil }
    guard let inverse = destination.relationshipsByName[inverseName] else {
      return "the entity “\(name)” has no relationship “\(inverseName)” to be its inverse"
    }
    guard inverse.inverseRelationshipName == relationship.name else {
      return "its inverse “\(name).\(inverseName)” has another inverse: "
        + "“\(inverse.inverseRelationshipName ?? "none")”"
    }
    return nil
  }
}
