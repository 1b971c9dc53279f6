import Foundation

/// Writes a compiled mapping model (`.cdm`). Equal mappings give equal bytes.
///
///     X.cdm              a keyed archive: NSMappingModel { NSEntityMappings,
///                        NSEntityMappingsByName }
///     NSEntityMapping    NSMappingName, NSMappingType, NSSourceEntityName,
///                        NSSourceEntityVersionHash, NSDestinationEntityName,
///                        NSDestinationEntityVersionHash, NSSourceExpression,
///                        NSAttributeMappings, NSRelationshipMappings,
///                        NSEntityMigrationPolicyClassName, NSUserInfo
///     NSPropertyMapping  NSDestinationPropertyName, NSValueExpression, NSPropertyTransforms,
///                        NSUserInfo
package struct MappingArchiveWriter {
  private let builder = ArchiveBuilder()
  private let file: String

  private init(file: String) {
    self.file = file
  }

  /// The contents of a `.cdm`; `file` is the path for errors.
  package static func data(_ mappings: [CompiledMapping], file: String) throws -> Data {
    try MappingArchiveWriter(file: file).data(mappings)
  }

  private func data(_ mappings: [CompiledMapping]) throws -> Data {
    let model = builder.reserve()
    let made = try mappings.map { ($0.name, try write($0)) }
    let byName = Dictionary(made, uniquingKeysWith: { first, _ in first }).sorted {
      $0.key < $1.key
    }
    builder.fill(
      model, class: ArchiveClass.mappingModel,
      fields: [
        "NSEntityMappings": builder.list(made.map(\.1), class: ArchiveClass.array),
        "NSEntityMappingsByName": builder.dictionary(
          byName.map { ($0.key, $0.value) }, class: ArchiveClass.mutableDictionary),
      ])
    return try builder.data(root: model)
  }

  private func write(_ mapping: CompiledMapping) throws -> ArchiveReference {
    let room = builder.reserve()
    builder.fill(
      room, class: ArchiveClass.entityMapping,
      fields: [
        "NSMappingName": builder.string(mapping.name), "NSMappingType": Int(mapping.type),
        "NSSourceEntityName": builder.string(mapping.sourceName),
        "NSSourceEntityVersionHash": plain(mapping.sourceHash),
        "NSDestinationEntityName": builder.string(mapping.destinationName),
        "NSDestinationEntityVersionHash": plain(mapping.destinationHash),
        "NSSourceExpression": try write(mapping.source),
        "NSAttributeMappings": try write(mapping.attributes),
        "NSRelationshipMappings": try write(mapping.relationships),
        "NSEntityMigrationPolicyClassName": builder.string(mapping.policyClassName),
        "NSUserInfo": try copy(mapping.userInfo),
      ])
    return room
  }

  private func write(_ properties: [CompiledMapping.Property]?) throws -> ArchiveReference {
    guard let properties else { return .null }
    let made = try properties.map { property in
      builder.add(
        class: ArchiveClass.propertyMapping,
        [
          "NSDestinationPropertyName": builder.string(property.name),
          "NSValueExpression": try write(property.expression),
          "NSPropertyTransforms": ArchiveReference.null, "NSUserInfo": try copy(property.userInfo),
        ])
    }
    return builder.list(made, class: ArchiveClass.array)
  }

  private func plain(_ hash: Data?) -> ArchiveReference { hash.map { builder.plain($0) } ?? .null }

  private func copy(_ archive: Data?) throws -> ArchiveReference {
    guard let archive else { return .null }
    return try ArchiveCopy(of: KeyedArchive(data: archive, file: file), in: builder).root()
  }

  // MARK: - Expressions

  private func write(_ expression: MappingExpression?) throws -> ArchiveReference {
    switch expression {
    case nil: return .null
    case .archive(let data): return try copy(data)
    case .value(let path): return self.path(path, of: "source")
    case .destinations(let mapping, let path):
      return call(
        "destinationInstancesForEntityMappingNamed:sourceInstances:",
        arguments: [constant(mapping), self.path(path, of: "source")],
        class: ArchiveClass.mutableArray)
    case .destinationsOfRelationship(let name, let path):
      return call(
        "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
        arguments: [constant(name), self.path(path, of: "source")], class: ArchiveClass.mutableArray
      )
    case .fetch(let entity):
      let request = call(
        "fetchRequestForSourceEntityNamed:predicateString:",
        arguments: [constant(entity), constant("TRUEPREDICATE")], class: ArchiveClass.array)
      return add(
        "NSFetchRequestExpression", type: 50,
        fields: [
          "NSFRExpression": request, "NSMOCExpression": path("sourceContext", of: "manager"),
          "NSCountOnlyFlag": false,
        ])
    }
  }

  private func add(_ name: String, type: Int, fields: [String: Any]) -> ArchiveReference {
    var fields = fields
    fields["NSExpressionType"] = type
    return builder.add(class: ArchiveClass.expression(name), fields)
  }

  private func constant(_ text: String) -> ArchiveReference {
    add("NSConstantValueExpression", type: 0, fields: ["NSConstantValue": builder.string(text)])
  }

  private func variable(_ name: String) -> ArchiveReference {
    add("NSVariableExpression", type: 2, fields: ["NSVariable": builder.string(name)])
  }

  private func path(_ path: String, of name: String) -> ArchiveReference {
    let specifier = add(
      "NSKeyPathSpecifierExpression", type: 10, fields: ["NSKeyPath": builder.string(path)])
    return add(
      "NSKeyPathExpression", type: 4,
      fields: [
        "NSOperand": variable(name), "NSSelectorName": builder.string("valueForKeyPath:"),
        "NSArguments": builder.list([specifier], class: ArchiveClass.mutableArray),
      ])
  }

  private func call(
    _ selector: String, arguments: [ArchiveReference], class names: [String]
  ) -> ArchiveReference {
    add(
      "NSFunctionExpression", type: 4,
      fields: [
        "NSOperand": variable("manager"), "NSSelectorName": builder.string(selector),
        "NSArguments": builder.list(arguments, class: names),
      ])
  }
}
