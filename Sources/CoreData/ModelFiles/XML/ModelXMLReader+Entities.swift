import Foundation

extension ModelXMLReader {
  /// An entity with its own properties, without its relatives.
  func entity(from element: ModelElement) throws -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = try name(of: element)
    entity.managedObjectClassName = className(element["representedClassName"])
    entity.isAbstract = element.isYes("isAbstract")
    entity.versionHashModifier = element["versionHashModifier"]
    entity.renamingIdentifier = element["elementID"]
    entity.codeGenerationType = element["codeGenerationType"]
    entity.userInfo = userInfo(of: element)
    entity.properties = try properties(from: element, of: entity)
    try addIndexes(from: element, to: entity)
    return entity
  }

  /// A leading dot stands for the module that the model is compiled for.
  private func className(_ name: String?) -> String {
    guard let name else { return "NSManagedObject" }
    guard name.hasPrefix(".") else { return name }
    return moduleName.map { $0 + name } ?? String(name.dropFirst())
  }

  func userInfo(of element: ModelElement) -> [AnyHashable: Any]? {
    let entries = element.children(named: "userInfo").flatMap { $0.children(named: "entry") }
    guard !entries.isEmpty else { return nil }
    let pairs = entries.map {
      (AnyHashable($0.attributes["key"] ?? ""), $0.attributes["value"] ?? "")
    }
    return Dictionary(pairs, uniquingKeysWith: { _, last in last })
  }

  private func properties(
    from element: ModelElement, of entity: NSEntityDescription
  ) throws -> [NSPropertyDescription] {
    var seen: Set<String> = []
    let kinds: Set = ["attribute", "relationship", "fetchedProperty"]
    return try element.children.filter { kinds.contains($0.name) }.map { child in
      let property = try property(from: child, entity: entity.name ?? "")
      guard seen.insert(property.name).inserted else {
        throw error(
          child, entity: entity.name, property: property.name,
          "there is more than one property of this name")
      }
      return property
    }
  }

  private func property(
    from element: ModelElement, entity: String
  ) throws -> NSPropertyDescription {
    switch element.name {
    case "attribute": try attribute(from: element, entity: entity)
    case "relationship": try relationship(from: element, entity: entity)
    default: try fetchedProperty(from: element, entity: entity)
    }
  }

  /// Sets what all kinds of properties have.
  func setCommon(of property: NSPropertyDescription, from element: ModelElement) throws {
    property.name = try name(of: element)
    property.isOptional = element.isYes("optional")
    property.isTransient = property.isTransient || element.isYes("transient")
    property.renamingIdentifier = element["elementID"]
    property.versionHashModifier = element["versionHashModifier"]
    property.storedIsIndexed = element.isYes("indexed")
    property.isIndexedBySpotlight = element.isYes("spotlightIndexingEnabled")
    property.storedInExternalRecord = element.isYes("storedInTruthFile")
    property.userInfo = userInfo(of: element)
  }

  private func fetchedProperty(
    from element: ModelElement, entity: String
  ) throws -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    try setCommon(of: property, from: element)
    guard let request = element.children(named: "fetchRequest").first else {
      throw error(element, entity: entity, property: property.name, "it has no fetch request")
    }
    property.fetchRequest = try fetchRequest(from: request, entity: entity, property: property.name)
    return property
  }

  /// A fetch request template, or the request of a fetched property.
  func fetchRequest(
    from element: ModelElement, entity: String?, property: String?
  ) throws -> NSFetchRequest<NSFetchRequestResult> {
    guard let target = element["entity"] else {
      throw error(element, entity: entity, property: property, "a fetch request names no entity")
    }
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: target)
    if let text = element["predicateString"] {
      request.predicate = try predicate(
        text, in: element, entity: entity ?? target, property: property)
    }
    request.fetchLimit = element["fetchLimit"].flatMap { Int($0) } ?? 0
    request.fetchBatchSize = element["fetchBatchSize"].flatMap { Int($0) } ?? 0
    request.resultType = .init(rawValue: element["resultType"].flatMap { UInt($0) } ?? 0)
    setFlags(of: request, from: element)
    return request
  }

  private func setFlags(
    of request: NSFetchRequest<NSFetchRequestResult>, from element: ModelElement
  ) {
    func flag(_ name: String, _ standard: Bool) -> Bool {
      element[name] == nil ? standard : element.isYes(name)
    }
    request.includesSubentities = flag("includeSubentities", true)
    request.includesPropertyValues = flag("includePropertyValues", true)
    request.returnsObjectsAsFaults = flag("returnObjectsAsFaults", true)
    request.returnsDistinctResults = flag("returnDistinctResults", false)
    request.includesPendingChanges = flag("includesPendingChanges", true)
  }
}
