import Foundation

/// Compiles a mapping document by Xcode's rules.
///
///     a policy class           custom (1)
///     no source                add (2)
///     no destination           remove (3)
///     else                     copy (4), whether or not the hashes are equal
///     source objects           a fetch of the source entity
///     an attribute             its expression, else `$source.<name>` if the source has that name
///     a relationship           its expression, else from its key path and mapping, else if the
///                              source has one of that name: the one mapping that makes objects of
///                              its destination, or any mapping if several do
///     the order of properties  by name
package struct MappingCompiler {
  private let document: MappingDocument
  private let source: ModelShape
  private let destination: ModelShape

  package init(_ document: MappingDocument, source: ModelShape, destination: ModelShape) {
    self.document = document
    self.source = source
    self.destination = destination
  }

  /// The entity mappings.
  /// - Throws: ``ModelFileError`` if the document names entities or properties that the models
  ///   lack.
  package func mappings() throws -> [CompiledMapping] {
    try document.entities.map(mapping)
  }

  private func mapping(_ entity: MappedEntity) throws -> CompiledMapping {
    let old = try entity.sourceName.map {
      try found($0, in: source, side: "source", entity: entity)
    }
    let new = try entity.destinationName.map {
      try found($0, in: destination, side: "destination", entity: entity)
    }
    var mapping = CompiledMapping(name: entity.name, type: Self.type(of: entity))
    mapping.sourceName = entity.sourceName
    mapping.sourceHash = old?.versionHash
    mapping.destinationName = entity.destinationName
    mapping.destinationHash = new?.versionHash
    mapping.policyClassName = entity.policyClassName
    mapping.source = entity.sourceName.map { .fetch(entity: $0) }
    mapping.attributes = try Self.sorted(entity.attributes).map { property in
      try check(property, in: new.map { Array($0.attributes) }, entity: entity)
      return (property.name, attributeValue(property, old: old), nil)
    }
    mapping.relationships = try Self.sorted(entity.relationships).map { property in
      try check(property, in: new.map { Array($0.relationships.keys) }, entity: entity)
      return (
        property.name, try relationshipValue(property, entity: entity, old: old, new: new), nil
      )
    }
    return mapping
  }

  private static func type(of entity: MappedEntity) -> UInt {
    if entity.policyClassName != nil { return 1 }
    if entity.sourceName == nil { return 2 }
    return entity.destinationName == nil ? 3 : 4
  }

  private static func sorted(_ properties: [MappedProperty]) -> [MappedProperty] {
    properties.sorted { $0.name < $1.name }
  }

  private func attributeValue(
    _ property: MappedProperty, old: ModelShape.Entity?
  ) -> MappingExpression? {
    if let data = property.expression { return .archive(data) }
    return old?.attributes.contains(property.name) == true ? .value(path: property.name) : nil
  }

  private func relationshipValue(
    _ property: MappedProperty, entity: MappedEntity, old: ModelShape.Entity?,
    new: ModelShape.Entity?
  ) throws -> MappingExpression? {
    if let data = property.expression { return .archive(data) }
    let path = try property.keyPath.map { try keyPath($0, property: property, entity: entity) }
    if let path, let mapping = property.mappingName {
      return .destinations(mapping: mapping, path: path)
    }
    let isInSource = old?.relationships[property.name] != nil && property.isAutomatic
    guard let path = path ?? (isInSource ? property.name : nil) else { return nil }
    let makers = self.makers(of: new?.relationships[property.name])
    return makers.count == 1
      ? .destinations(mapping: makers[0], path: path)
      : .destinationsOfRelationship(path, path: path)
  }

  /// The mappings that make objects of an entity or of its subentities.
  private func makers(of name: String?) -> [String] {
    guard let name else { return [] }
    return document.entities.filter { mapping in
      mapping.sourceName != nil
        && mapping.destinationName.map { destination.isKind($0, of: name) } ?? false
    }.map(\.name)
  }

  /// The key path `a.b` of `$source.a.b`.
  private func keyPath(
    _ text: String, property: MappedProperty, entity: MappedEntity
  ) throws -> String {
    let prefix = "$source."
    guard text.hasPrefix(prefix), text.count > prefix.count else {
      throw ModelFileError(
        file: document.file, line: property.line, entity: entity.destinationName,
        property: property.name,
        problem: "expected a key path of the form “$source.key”, found “\(text)”")
    }
    return String(text.dropFirst(prefix.count))
  }

  private func found(
    _ name: String, in model: ModelShape, side: String, entity: MappedEntity
  ) throws -> ModelShape.Entity {
    if let found = model.entities[name] { return found }
    throw ModelFileError(
      file: document.file, line: entity.line, entity: name,
      problem: "the mapping “\(entity.name)” names it, and the \(side) model has no such entity")
  }

  private func check(
    _ property: MappedProperty, in names: [String]?, entity: MappedEntity
  ) throws {
    guard let names, !names.contains(property.name) else { return }
    throw ModelFileError(
      file: document.file, line: property.line, entity: entity.destinationName,
      property: property.name,
      problem:
        "the mapping “\(entity.name)” sets it, and the destination model has no such property")
  }
}
