extension ModelReader {
  /// Reads uniqueness constraints and indexes of all versions of the format.
  ///
  /// An ascending index of one property, and `indexed="YES"`, also create an index with the
  /// property's own name, before the declared ones; a descending index does not. This matches the
  /// stores of Apple's framework.
  func addIndexes(from element: ModelElement, to entity: inout ModelEntity) throws {
    entity.uniquenessConstraints = try constraints(from: element, of: entity.name)
    let declared = try element.children(named: "fetchIndex").map {
      try fetchIndex(from: $0, of: entity.name)
    }
    for index in declared { markSingleProperty(of: index, in: &entity) }
    let single = entity.properties.filter { $0.isIndexed && $0.attribute != nil }.map {
      ModelIndex(
        name: $0.name, line: $0.line,
        elements: [ModelIndexElement(subject: .property($0.name))])
    }
    entity.indexes = try single + declared + compoundIndexes(from: element, of: entity.name)
  }

  private func markSingleProperty(of index: ModelIndex, in entity: inout ModelEntity) {
    guard index.elements.count == 1, let element = index.elements.first else { return }
    guard !element.isSpatial, element.isAscending, index.partialPredicate == nil,
      case .property(let name) = element.subject,
      let place = entity.properties.firstIndex(where: { $0.name == name })
    else { return }
    entity.properties[place].isIndexed = true
  }

  private func constraints(from element: ModelElement, of entity: String) throws -> [[String]] {
    try element.children(named: "uniquenessConstraints")
      .flatMap { $0.children(named: "uniquenessConstraint") }
      .map { group in
        try group.children(named: "constraint").map { constraint in
          try existing(constraint["value"], of: entity, in: constraint, kind: "constraint")
        }
      }
  }

  private func compoundIndexes(
    from element: ModelElement, of entity: String
  ) throws -> [ModelIndex] {
    let groups = element.children(named: "compoundIndexes")
      .flatMap { $0.children(named: "compoundIndex") }
    return try groups.enumerated().map { number, group in
      let elements = try group.children(named: "index").map { index in
        ModelIndexElement(
          subject: .property(try existing(index["value"], of: entity, in: index, kind: "index")))
      }
      return ModelIndex(
        name: number == 0 ? "compoundIndex" : "compoundIndex\(number)", line: group.line,
        elements: elements)
    }
  }

  private func fetchIndex(from element: ModelElement, of entity: String) throws -> ModelIndex {
    let elements = try element.children(named: "fetchIndexElement").map {
      try indexElement(from: $0, of: entity)
    }
    return ModelIndex(
      name: try name(of: element), line: element.line, elements: elements,
      partialPredicate: element["partialIndexPredicate"])
  }

  private func indexElement(
    from element: ModelElement, of entity: String
  ) throws -> ModelIndexElement {
    let subject: ModelIndexElement.Subject
    if let text = element["expression"] {
      let type = element["expressionType"].flatMap { ModelAttributeType(rawValue: $0) }
      subject = .expression(text, type: (type ?? .undefined).number)
    } else {
      subject = .property(
        try existing(element["property"], of: entity, in: element, kind: "index element"))
    }
    return ModelIndexElement(
      subject: subject, isSpatial: element["type"] == "RTree",
      isAscending: element["order"] != "descending")
  }

  private func existing(
    _ name: String?, of entity: String, in element: ModelElement, kind: String
  ) throws -> String {
    guard let name else {
      throw error(element, entity: entity, problem: "\(kind) without a property")
    }
    return name
  }
}
