/// Converts a document to the elements of a `contents` file in a stable order: entities by name,
/// with their attributes, relationships and fetched properties, each by name.
///
/// The elements are described at `ModelReader`.
struct ModelWriter {
  let document: ModelDocument
  /// The elements of composites by name; composites are top-level elements of the file.
  private let composites: [String: [ModelProperty]]

  static func root(_ document: ModelDocument) throws -> ModelElement {
    try ModelWriter(document).root()
  }

  private init(_ document: ModelDocument) throws {
    self.document = document
    composites = try ModelWriter.composites(in: document)
  }

  private func root() throws -> ModelElement {
    var attributes = [
      "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
      "lastSavedToolsVersion": "1", "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
    ]
    attributes["userDefinedModelVersionIdentifier"] = document.versionIdentifier
    let entities = document.entities.sorted { $0.name < $1.name }.map(entity)
    let requests = document.fetchRequests.sorted { $0.name < $1.name }.map {
      fetchRequest($0, name: $0.name)
    }
    let configurations = document.configurations.sorted { $0.name < $1.name }.map(configuration)
    return ModelElement(
      name: "model", attributes: attributes,
      children: entities + requests + configurations + compositeElements())
  }

  private func configuration(_ configuration: ModelConfiguration) -> ModelElement {
    ModelElement(
      name: "configuration", attributes: ["name": configuration.name],
      children: configuration.entityNames.sorted().map {
        ModelElement(name: "memberEntity", attributes: ["name": $0])
      })
  }

  private func entity(_ entity: ModelEntity) -> ModelElement {
    var attributes = ["name": entity.name, "syncable": "YES"]
    attributes["representedClassName"] =
      entity.className == "NSManagedObject" ? nil : entity.className
    attributes["parentEntity"] = entity.parentName
    attributes["isAbstract"] = entity.isAbstract ? "YES" : nil
    attributes["elementID"] = entity.renamingIdentifier
    attributes["versionHashModifier"] = entity.versionHashModifier
    attributes["codeGenerationType"] = entity.codeGenerationType
    let properties = entity.properties.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
    return ModelElement(
      name: "entity", attributes: attributes,
      children: properties.map { property($0, of: entity) } + entity.declaredIndexes.map(index)
        + constraints(of: entity) + Self.userInfo(entity.userInfo))
  }

  private func index(_ index: ModelIndex) -> ModelElement {
    var attributes = ["name": index.name]
    attributes["partialIndexPredicate"] = index.partialPredicate
    return ModelElement(
      name: "fetchIndex", attributes: attributes, children: index.elements.map(indexElement))
  }

  private func indexElement(_ element: ModelIndexElement) -> ModelElement {
    var attributes = [
      "type": element.isSpatial ? "RTree" : "Binary",
      "order": element.isAscending ? "ascending" : "descending",
    ]
    switch element.subject {
    case .property(let name): attributes["property"] = name
    case .expression(let text, let number):
      let type = ModelAttributeType.allCases.first { $0.number == number } ?? .undefined
      attributes["expression"] = text
      attributes["expressionType"] = type.rawValue
    }
    return ModelElement(name: "fetchIndexElement", attributes: attributes)
  }

  private func constraints(of entity: ModelEntity) -> [ModelElement] {
    guard !entity.uniquenessConstraints.isEmpty else { return [] }
    let groups = entity.uniquenessConstraints.map { names in
      ModelElement(
        name: "uniquenessConstraint",
        children: names.map { ModelElement(name: "constraint", attributes: ["value": $0]) })
    }
    return [ModelElement(name: "uniquenessConstraints", children: groups)]
  }

  static func userInfo(_ table: [String: String]) -> [ModelElement] {
    guard !table.isEmpty else { return [] }
    let entries = table.sorted { $0.key < $1.key }.map { key, value in
      ModelElement(name: "entry", attributes: ["key": key, "value": value])
    }
    return [ModelElement(name: "userInfo", children: entries)]
  }

  func fetchRequest(_ request: ModelFetchRequest, name: String) -> ModelElement {
    var attributes = ["name": name, "entity": request.entityName]
    attributes["predicateString"] = request.predicate
    attributes["fetchLimit"] = request.limit == 0 ? nil : String(request.limit)
    attributes["fetchBatchSize"] = request.batchSize == 0 ? nil : String(request.batchSize)
    attributes["resultType"] = request.resultType == 0 ? nil : String(request.resultType)
    attributes["includeSubentities"] = request.includesSubentities ? nil : "NO"
    attributes["includePropertyValues"] = request.includesPropertyValues ? nil : "NO"
    attributes["returnObjectsAsFaults"] = request.returnsObjectsAsFaults ? nil : "NO"
    attributes["returnDistinctResults"] = request.returnsDistinctResults ? "YES" : nil
    attributes["includesPendingChanges"] = request.includesPendingChanges ? nil : "NO"
    return ModelElement(name: "fetchRequest", attributes: attributes)
  }

  // MARK: - Composites

  private func compositeElements() -> [ModelElement] {
    composites.sorted { $0.key < $1.key }.map { name, elements in
      ModelElement(
        name: "composite", attributes: ["name": name],
        children: elements.map { property($0, of: nil) })
    }
  }

  /// The composites of all entities by name, nested ones included.
  /// - Throws: ``ModelFileError`` if two composites of one name differ.
  private static func composites(in document: ModelDocument) throws -> [String: [ModelProperty]] {
    var found: [String: [ModelProperty]] = [:]
    for entity in document.entities {
      var waiting = entity.properties
      while let property = waiting.popLast() {
        guard case .composite(let name, let elements) = property.attribute?.form else { continue }
        if let other = found.updateValue(elements, forKey: name),
          "\(other)" != "\(elements)"
        {
          throw ModelFileError(
            file: document.file, entity: entity.name, property: property.name,
            problem: "there are two different composites named “\(name)”")
        }
        waiting += elements
      }
    }
    return found
  }
}

extension ModelProperty {
  /// The order of the kinds: attributes, relationships, fetched properties.
  fileprivate var rank: Int {
    switch kind {
    case .attribute: 0
    case .relationship: 1
    case .fetched: 2
    }
  }
}

extension ModelEntity {
  /// The indexes, without those that reading derives from an indexed property.
  fileprivate var declaredIndexes: [ModelIndex] {
    indexes.filter { index in
      guard index.elements.count == 1, let element = index.elements.first else { return true }
      guard case .property(let name) = element.subject, name == index.name else { return true }
      let isPlain = element.isAscending && !element.isSpatial && index.partialPredicate == nil
      return !(isPlain && properties.contains { $0.name == name && $0.attribute != nil })
    }
  }
}

extension ModelDocument {
  /// The text of a `contents` file; equal documents give equal texts.
  /// - Throws: ``ModelFileError`` if two composites of one name differ.
  package func contents() throws -> String {
    try "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
      + ModelWriter.root(self).lines
  }
}
