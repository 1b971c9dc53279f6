import Foundation

extension NSEntityMapping {
  /// The mapping in the form of a compiled mapping model.
  func compiled() throws -> CompiledMapping {
    var mapping = CompiledMapping(name: name, type: mappingType.rawValue)
    mapping.sourceName = sourceEntityName
    mapping.sourceHash = sourceEntityVersionHash
    mapping.destinationName = destinationEntityName
    mapping.destinationHash = destinationEntityVersionHash
    mapping.policyClassName = entityMigrationPolicyClassName
    mapping.source = try sourceExpression.map { .archive(try $0.archivedExpression()) }
    mapping.attributes = try attributeMappings?.map { try $0.compiled() }
    mapping.relationships = try relationshipMappings?.map { try $0.compiled() }
    mapping.userInfo = try userInfo.map(Self.archive)
    return mapping
  }

  /// A keyed archive of user info.
  fileprivate static func archive(_ userInfo: [AnyHashable: Any]) throws -> Data {
    let writer = ModelArchiveWriter(model: NSManagedObjectModel(), style: .compiled)
    return try writer.builder.data(root: writer.value(userInfo))
  }
}

extension NSPropertyMapping {
  fileprivate func compiled() throws -> CompiledMapping.Property {
    (
      name, try valueExpression.map { .archive(try $0.archivedExpression()) },
      try userInfo.map(NSEntityMapping.archive)
    )
  }
}

extension NSExpression {
  /// A keyed archive of the expression alone, readable by Apple's framework.
  func archivedExpression() throws -> Data {
    let writer = ModelArchiveWriter(model: NSManagedObjectModel(), style: .compiled)
    return try writer.builder.data(root: writer.write(self))
  }
}
