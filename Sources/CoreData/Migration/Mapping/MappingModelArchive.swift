import Foundation

/// Reads mapping models as Apple's compiler writes them.
///
///     X.cdm              a keyed archive: NSMappingModel { NSEntityMappings, NSEntityMappingsByName }
///     NSEntityMapping    NSMappingName, NSMappingType, NSSourceEntityName, NSSourceEntityVersionHash,
///                        NSDestinationEntityName, NSDestinationEntityVersionHash, NSSourceExpression,
///                        NSAttributeMappings, NSRelationshipMappings, NSEntityMigrationPolicyClassName, NSUserInfo
///     NSPropertyMapping  NSDestinationPropertyName, NSValueExpression, NSUserInfo
struct MappingModelArchive {
  private let archive: KeyedArchive
  private let reader: ModelArchiveReader

  /// The mappings of a `.cdm`. Throws a ``ModelFileError`` for anything else.
  static func mappings(at url: URL) throws -> [NSEntityMapping] {
    guard url.pathExtension.lowercased() == "cdm" else {
      throw ModelFileError(
        file: url.path,
        problem: "this is not a compiled mapping model: expected the extension cdm")
    }
    let data: Data
    do { data = try Data(contentsOf: url) } catch {
      throw ModelFileError(
        file: url.path, problem: "it cannot be read: \(error.localizedDescription)")
    }
    return try mappings(data, file: url.path)
  }

  static func mappings(_ data: Data, file: String) throws -> [NSEntityMapping] {
    let archive = try KeyedArchive(data: data, file: file)
    return try MappingModelArchive(
      archive: archive, reader: ModelArchiveReader(archive: archive)
    ).mappings()
  }

  private func mappings() throws -> [NSEntityMapping] {
    guard let model = try archive.record(at: archive.root), model.className == "NSMappingModel"
    else { throw archive.error("its root is no mapping model") }
    return try model.elements("NSEntityMappings").map { identifier in
      guard let record = try archive.record(at: identifier) else {
        throw model.wrong("NSEntityMappings", "entity mappings")
      }
      return try mapping(record)
    }
  }

  private func mapping(_ record: ArchiveRecord) throws -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = try record.requiredText("NSMappingName")
    let type = try record.integer("NSMappingType") ?? 0
    guard let type = UInt(exactly: type).flatMap(NSEntityMappingType.init(rawValue:)) else {
      throw record.wrong("NSMappingType", "0 to 5")
    }
    mapping.mappingType = type
    mapping.sourceEntityName = try record.text("NSSourceEntityName")
    mapping.sourceEntityVersionHash = try record.object("NSSourceEntityVersionHash") as? Data
    mapping.destinationEntityName = try record.text("NSDestinationEntityName")
    mapping.destinationEntityVersionHash =
      try record.object("NSDestinationEntityVersionHash") as? Data
    mapping.sourceExpression = try expression("NSSourceExpression", of: record)
    mapping.attributeMappings = try properties("NSAttributeMappings", of: record)
    mapping.relationshipMappings = try properties("NSRelationshipMappings", of: record)
    mapping.entityMigrationPolicyClassName = try record.text("NSEntityMigrationPolicyClassName")
    return mapping
  }

  private func properties(_ key: String, of record: ArchiveRecord) throws -> [NSPropertyMapping] {
    try record.elements(key).map { identifier in
      guard let record = try archive.record(at: identifier) else {
        throw record.wrong(key, "property mappings")
      }
      let mapping = NSPropertyMapping()
      mapping.name = try record.text("NSDestinationPropertyName")
      mapping.valueExpression = try expression("NSValueExpression", of: record)
      return mapping
    }
  }

  private func expression(_ key: String, of record: ArchiveRecord) throws -> NSExpression? {
    try record.record(key).map { try reader.expression($0) }
  }
}
