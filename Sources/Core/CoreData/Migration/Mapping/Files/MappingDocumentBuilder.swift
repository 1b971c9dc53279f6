import Foundation

/// Makes the `xcmapping.xml` of mappings, and reads it back, so that nothing is lost silently.
struct MappingDocumentBuilder {
  let url: URL
  let mappings: [NSEntityMapping]
  let source: URL
  let destination: URL

  func text() throws -> String {
    var document = try plainDocument()
    let made = try compiled(document)
    // Expressions that the compiler makes from the names are left out of the file.
    for (index, (mapping, automatic)) in zip(mappings, made).enumerated() {
      try fill(
        &document.entities[index].attributes, wanted: mapping.attributeMappings,
        automatic: automatic.attributeMappings, mapping: mapping)
      try fill(
        &document.entities[index].relationships, wanted: mapping.relationshipMappings,
        automatic: automatic.relationshipMappings, mapping: mapping, isRelationship: true)
    }
    let text = document.text
    let read = try compiled(try MappingDocument(data: Data(text.utf8), file: url.path))
    for (mapping, read) in zip(mappings, read) { try check(mapping, read: read) }
    return text
  }

  private func compiled(_ document: MappingDocument) throws -> [NSEntityMapping] {
    let shapes = try [source, destination].map {
      ModelShape(of: try ModelPackage(url: $0).currentModel())
    }
    let mappings = try MappingCompiler(document, source: shapes[0], destination: shapes[1])
      .mappings()
    return try MappingModelArchive.mappings(
      MappingArchiveWriter.data(mappings, file: url.path), file: url.path)
  }

  /// A document with the names only.
  private func plainDocument() throws -> MappingDocument {
    var document = MappingDocument(file: url.path)
    document.source = MappedModel(path: path(of: source))
    document.destination = MappedModel(path: path(of: destination))
    document.entities = mappings.map { mapping in
      var entity = MappedEntity(line: nil)
      entity.sourceName = mapping.sourceEntityName
      entity.destinationName = mapping.destinationEntityName
      entity.policyClassName = mapping.entityMigrationPolicyClassName
      entity.attributes = Self.properties(mapping.attributeMappings)
      entity.relationships = Self.properties(mapping.relationshipMappings)
      return entity
    }
    return document
  }

  private static func properties(_ mappings: [NSPropertyMapping]?) -> [MappedProperty] {
    (mappings ?? []).map { MappedProperty(name: $0.name ?? "", line: nil) }
      .sorted { $0.name < $1.name }
  }

  /// The path of a model: relative to the folder of the mapping model if it is inside, otherwise
  /// absolute.
  private func path(of model: URL) -> String {
    let folder = url.deletingLastPathComponent().standardizedFileURL.path + "/"
    let path = model.standardizedFileURL.path
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  private func fill(
    _ properties: inout [MappedProperty], wanted: [NSPropertyMapping]?,
    automatic: [NSPropertyMapping]?, mapping: NSEntityMapping, isRelationship: Bool = false
  ) throws {
    for index in properties.indices {
      let name = properties[index].name
      let expression = wanted?.first { $0.name == name }?.valueExpression
      guard expression != automatic?.first(where: { $0.name == name })?.valueExpression else {
        continue
      }
      properties[index].expression = try expression?.archivedExpression()
      if expression == nil, isRelationship { properties[index].isAutomatic = false }
    }
  }

  // MARK: - Losses

  private func check(_ mapping: NSEntityMapping, read: NSEntityMapping) throws {
    let facts: [(String, Any?, Any?)] = [
      ("its name", mapping.name, read.name),
      ("its type", mapping.mappingType.rawValue, read.mappingType.rawValue),
      ("its source hash", mapping.sourceEntityVersionHash, read.sourceEntityVersionHash),
      (
        "its destination hash", mapping.destinationEntityVersionHash,
        read.destinationEntityVersionHash
      ),
      (
        "its source expression", mapping.sourceExpression?.description,
        read.sourceExpression?.description
      ),
      ("its policy", mapping.entityMigrationPolicyClassName, read.entityMigrationPolicyClassName),
      ("its user info", mapping.userInfo, read.userInfo),
      (
        "the order of its attributes", Self.names(mapping.attributeMappings),
        Self.names(read.attributeMappings)
      ),
      (
        "the order of its relationships", Self.names(mapping.relationshipMappings),
        Self.names(read.relationshipMappings)
      ),
    ]
    if let lost = facts.first(where: { !ModelValue.areEqual($0.1, $0.2) }) {
      throw lossOf(lost.0, value: lost.1, mapping: mapping, property: nil)
    }
    let wanted = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
    let found = (read.attributeMappings ?? []) + (read.relationshipMappings ?? [])
    for (property, read) in zip(wanted, found) where property != read {
      throw lossOf(
        "the mapping of it", value: property.valueExpression, mapping: mapping,
        property: property.name)
    }
  }

  private static func names(_ mappings: [NSPropertyMapping]?) -> [String] {
    (mappings ?? []).map { $0.name ?? "" }
  }

  private func lossOf(
    _ fact: String, value: Any?, mapping: NSEntityMapping, property: String?
  ) -> ModelFileError {
    ModelFileError(
      file: url.path, entity: mapping.destinationEntityName ?? mapping.sourceEntityName,
      property: property,
      problem:
        "an xcmappingmodel cannot hold \(fact) as it is in the mapping “\(mapping.name ?? "")” "
        + "(\("\(value ?? "none")".prefix(200))); a cdm can")
  }
}
