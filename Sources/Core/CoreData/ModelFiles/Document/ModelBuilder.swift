import Foundation

/// Makes descriptions from a model document.
///
/// Parses the predicates and expressions, which a document keeps as unchecked text.
struct ModelBuilder {
  let file: String

  static func model(of document: ModelDocument) throws -> NSManagedObjectModel {
    try ModelBuilder(file: document.file).model(of: document)
  }

  private func model(of document: ModelDocument) throws -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = try entities(of: document)
    if let identifier = document.versionIdentifier { model.versionIdentifiers = [identifier] }
    for configuration in document.configurations {
      model.setEntityNames(
        configuration.entityNames, forConfigurationName: configuration.name)
    }
    for request in document.fetchRequests {
      model.setFetchRequestTemplate(
        try fetchRequest(of: request, entity: nil, property: nil), forName: request.name)
    }
    return model
  }

  private func entities(of document: ModelDocument) throws -> [NSEntityDescription] {
    let made = try document.entities.map { try entity(of: $0) }
    let byName = Dictionary(
      zip(document.entities.map(\.name), made), uniquingKeysWith: { _, last in last })
    let children = Dictionary(grouping: document.entities, by: \.parentName)
    for (parent, list) in children {
      guard let parent else { continue }
      byName[parent]?.subentities = list.compactMap { byName[$0.name] }
    }
    return made
  }

  private func entity(of source: ModelEntity) throws -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = source.name
    entity.managedObjectClassName = source.className
    entity.isAbstract = source.isAbstract
    entity.versionHashModifier = source.versionHashModifier
    entity.renamingIdentifier = source.renamingIdentifier
    entity.codeGenerationType = source.codeGenerationType
    entity.userInfo = source.userInfo.isEmpty ? nil : source.userInfo
    entity.properties = try source.properties.map { try property(of: $0, entity: source.name) }
    entity.uniquenessConstraints = source.uniquenessConstraints
    entity.indexes = try source.indexes.map { try index(of: $0, entity: source.name) }
    return entity
  }

  private func index(of source: ModelIndex, entity: String) throws -> NSFetchIndexDescription {
    let elements = try source.elements.map { element in
      let type: NSFetchIndexElementType = element.isSpatial ? .rTree : .binary
      let made: NSFetchIndexElementDescription
      switch element.subject {
      case .property(let name):
        made = NSFetchIndexElementDescription(propertyName: name, collationType: type)
      case .expression(let text, let resultType):
        let property = NSExpressionDescription()
        property.name = text
        property.expression = try expression(
          text, line: source.line, entity: entity, property: nil)
        property.expressionResultType =
          NSAttributeType(rawValue: resultType) ?? .undefinedAttributeType
        made = NSFetchIndexElementDescription(property: property, collationType: type)
      }
      made.isAscending = element.isAscending
      return made
    }
    let index = NSFetchIndexDescription(name: source.name, elements: elements)
    index.partialIndexPredicate = try source.partialPredicate.map {
      try predicate($0, line: source.line, entity: entity, property: nil)
    }
    return index
  }

  /// Parses a predicate of a model file. Throws ``ModelFileError`` if the text is not valid.
  func predicate(
    _ text: String, line: Int?, entity: String?, property: String?
  ) throws -> NSPredicate {
    do {
      return try PredicateParser.parse(format: text)
    } catch {
      throw ModelFileError(
        file: file, line: line, entity: entity, property: property, problem: error.description)
    }
  }

  /// Parses an expression of a model file. Throws ``ModelFileError`` if the text is not valid.
  func expression(
    _ text: String, line: Int?, entity: String?, property: String?
  ) throws -> NSExpression {
    do {
      return try PredicateParser.parse(expressionFormat: text)
    } catch {
      throw ModelFileError(
        file: file, line: line, entity: entity, property: property, problem: error.description)
    }
  }
}
