extension ModelReader {
  /// Reads an entity with its own properties.
  mutating func entity(from element: ModelElement) throws -> ModelEntity {
    var entity = ModelEntity(name: try name(of: element), line: element.line)
    entity.className = className(element["representedClassName"])
    entity.parentName = element["parentEntity"]
    entity.isAbstract = element.isYes("isAbstract")
    entity.versionHashModifier = element["versionHashModifier"]
    entity.renamingIdentifier = element["elementID"]
    entity.codeGenerationType = element["codeGenerationType"]
    entity.userInfo = userInfo(of: element)
    entity.properties = try properties(from: element, of: entity.name)
    try addIndexes(from: element, to: &entity)
    for unread in element.children(named: ElementsArchive.unreadName) {
      warn(
        element, entity: entity.name,
        problem:
          "\(unread["name"] ?? "") cannot be read from a model of Xcode 4.2 or older and is left out; "
          + "to have it, save the model in a newer Xcode")
    }
    return entity
  }

  /// A leading dot stands for the module that the model is compiled for. It is dropped if it is
  /// still there: no module was given.
  private func className(_ name: String?) -> String {
    guard let name else { return "NSManagedObject" }
    return name.hasPrefix(".") ? String(name.dropFirst()) : name
  }

  private func userInfo(of element: ModelElement) -> [String: String] {
    let entries = element.children(named: "userInfo").flatMap { $0.children(named: "entry") }
    let pairs = entries.map { ($0.attributes["key"] ?? "", $0.attributes["value"] ?? "") }
    return Dictionary(pairs, uniquingKeysWith: { _, last in last })
  }

  private mutating func properties(
    from element: ModelElement, of entity: String
  ) throws -> [ModelProperty] {
    var seen: Set<String> = []
    let kinds: Set = ["attribute", "relationship", "fetchedProperty"]
    return try element.children.filter { kinds.contains($0.name) }.map { child in
      let property = try property(from: child, entity: entity)
      guard seen.insert(property.name).inserted else {
        throw error(
          child, entity: entity, property: property.name,
          problem: "there is more than one property of this name")
      }
      return property
    }
  }

  private mutating func property(
    from element: ModelElement, entity: String
  ) throws -> ModelProperty {
    switch element.name {
    case "attribute": try attribute(from: element, entity: entity)
    case "relationship":
      try property(from: element, kind: .relationship(relationship(from: element, entity: entity)))
    default: try property(from: element, kind: .fetched(fetched(from: element, entity: entity)))
    }
  }

  /// Reads the attributes that properties of all kinds have.
  func property(from element: ModelElement, kind: ModelProperty.Kind) throws -> ModelProperty {
    var property = ModelProperty(name: try name(of: element), line: element.line, kind: kind)
    property.isOptional = element.isYes("optional")
    property.isTransient = element.isYes("transient")
    property.renamingIdentifier = element["elementID"]
    property.versionHashModifier = element["versionHashModifier"]
    property.isIndexed = element.isYes("indexed")
    property.isIndexedBySpotlight = element.isYes("spotlightIndexingEnabled")
    property.isStoredInExternalRecord = element.isYes("storedInTruthFile")
    property.userInfo = userInfo(of: element)
    return property
  }

  private func fetched(from element: ModelElement, entity: String) throws -> ModelFetchRequest {
    guard let request = element.children(named: "fetchRequest").first else {
      throw error(
        element, entity: entity, property: try name(of: element), problem: "it has no fetch request"
      )
    }
    return try fetchRequest(from: request, entity: entity, property: try name(of: element))
  }

  /// Reads a fetch request template, or the request of a fetched property.
  func fetchRequest(
    from element: ModelElement, entity: String?, property: String?
  ) throws -> ModelFetchRequest {
    guard let target = element["entity"] else {
      throw error(
        element, entity: entity, property: property, problem: "a fetch request names no entity")
    }
    func flag(_ name: String, _ standard: Bool) -> Bool {
      element[name] == nil ? standard : element.isYes(name)
    }
    var request = ModelFetchRequest(
      name: try property ?? name(of: element), line: element.line, entityName: target,
      predicate: element["predicateString"])
    request.limit = element["fetchLimit"].flatMap { Int($0) } ?? 0
    request.batchSize = element["fetchBatchSize"].flatMap { Int($0) } ?? 0
    request.resultType = element["resultType"].flatMap { UInt($0) } ?? 0
    request.includesSubentities = flag("includeSubentities", true)
    request.includesPropertyValues = flag("includePropertyValues", true)
    request.returnsObjectsAsFaults = flag("returnObjectsAsFaults", true)
    request.returnsDistinctResults = flag("returnDistinctResults", false)
    request.includesPendingChanges = flag("includesPendingChanges", true)
    return request
  }
}
