import Foundation

extension ModelXMLReader {
  /// Reads uniqueness constraints and indexes, old and new.
  ///
  /// An index of one property, as well as `indexed="YES"`, also makes an index with the property's
  /// own name, which comes first: so the stores that Apple's framework makes have it.
  func addIndexes(from element: ModelElement, to entity: NSEntityDescription) throws {
    entity.uniquenessConstraints = try constraints(from: element, of: entity)
    let declared = try element.children(named: "fetchIndex").map {
      try fetchIndex(from: $0, of: entity)
    }
    for index in declared { markSingleProperty(of: index, in: entity) }
    let single = entity.ownProperties.filter { $0.storedIsIndexed && $0 is NSAttributeDescription }
      .map { property in
        let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
        return NSFetchIndexDescription(name: property.name, elements: [element])
      }
    let compound = try compoundIndexes(from: element, of: entity)
    entity.indexes = single + declared + compound
  }

  private func markSingleProperty(
    of index: NSFetchIndexDescription, in entity: NSEntityDescription
  ) {
    guard index.elements.count == 1, let element = index.elements.first else { return }
    guard element.collationType == .binary, index.partialIndexPredicate == nil else { return }
    let name = element.propertyName
    entity.ownProperties.first { $0.name == name }?.storedIsIndexed = true
  }

  private func constraints(
    from element: ModelElement, of entity: NSEntityDescription
  ) throws -> [[String]] {
    try element.children(named: "uniquenessConstraints")
      .flatMap { $0.children(named: "uniquenessConstraint") }
      .map { group in
        try group.children(named: "constraint").map { constraint in
          try existing(constraint.attributes["value"], of: entity, in: constraint, "constraint")
        }
      }
  }

  private func compoundIndexes(
    from element: ModelElement, of entity: NSEntityDescription
  ) throws -> [NSFetchIndexDescription] {
    let groups = element.children(named: "compoundIndexes")
      .flatMap { $0.children(named: "compoundIndex") }
    return try groups.enumerated().map { number, group in
      let elements = try group.children(named: "index").map { index in
        NSFetchIndexElementDescription(
          propertyName: try existing(index.attributes["value"], of: entity, in: index, "index"),
          collationType: .binary)
      }
      let name = number == 0 ? "compoundIndex" : "compoundIndex\(number)"
      return NSFetchIndexDescription(name: name, elements: elements)
    }
  }

  private func fetchIndex(
    from element: ModelElement, of entity: NSEntityDescription
  ) throws -> NSFetchIndexDescription {
    let elements = try element.children(named: "fetchIndexElement").map {
      try indexElement(from: $0, of: entity)
    }
    let index = NSFetchIndexDescription(name: try name(of: element), elements: elements)
    if let text = element["partialIndexPredicate"] {
      index.partialIndexPredicate = try predicate(
        text, in: element, entity: entity.name, property: nil)
    }
    return index
  }

  private func indexElement(
    from element: ModelElement, of entity: NSEntityDescription
  ) throws -> NSFetchIndexElementDescription {
    let type: NSFetchIndexElementType = element["type"] == "RTree" ? .rTree : .binary
    let made: NSFetchIndexElementDescription
    if let text = element["expression"] {
      let property = NSExpressionDescription()
      property.name = text
      property.expression = try expression(text, in: element, entity: entity.name, property: nil)
      property.expressionResultType =
        AttributeTypeNames.types[element["expressionType"] ?? ""] ?? .undefinedAttributeType
      made = NSFetchIndexElementDescription(property: property, collationType: type)
    } else {
      let name = try existing(element["property"], of: entity, in: element, "index element")
      made = NSFetchIndexElementDescription(propertyName: name, collationType: type)
    }
    made.isAscending = element["order"] != "descending"
    return made
  }

  /// The name of a property of the entity. An inherited one cannot be checked yet, so a subentity's
  /// may be any.
  private func existing(
    _ name: String?, of entity: NSEntityDescription, in element: ModelElement, _ kind: String
  ) throws -> String {
    guard let name, !name.isEmpty else {
      throw error(element, entity: entity.name, "\(kind) without a property")
    }
    return name
  }
}
