import Foundation

/// Reads mapping models written by Apple's compiler. The keys are at the head of
/// `MappingArchiveWriter`.
struct MappingModelArchive {
  private let archive: KeyedArchive
  private let reader: ModelArchiveReader

  /// The mappings in the contents of a `.cdm`. Throws a ``ModelFileError`` if the data is not a
  /// mapping model.
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
        throw model.wrong("NSEntityMappings", expected: "entity mappings")
      }
      return try mapping(record)
    }
  }

  private func mapping(_ record: ArchiveRecord) throws -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = try record.requiredText("NSMappingName")
    let type = try record.integer("NSMappingType") ?? 0
    guard let type = UInt(exactly: type).flatMap(NSEntityMappingType.init(rawValue:)) else {
      throw record.wrong("NSMappingType", expected: "0 to 5")
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
    mapping.userInfo = try userInfo(of: record)
    return mapping
  }

  private func properties(_ key: String, of record: ArchiveRecord) throws -> [NSPropertyMapping]? {
    guard try record.record(key) != nil else { return nil }
    return try record.elements(key).map { identifier in
      guard let record = try archive.record(at: identifier) else {
        throw record.wrong(key, expected: "property mappings")
      }
      let mapping = NSPropertyMapping()
      mapping.name = try record.text("NSDestinationPropertyName")
      mapping.valueExpression = try expression("NSValueExpression", of: record)
      mapping.userInfo = try userInfo(of: record)
      return mapping
    }
  }

  private func userInfo(of record: ArchiveRecord) throws -> [AnyHashable: Any]? {
    guard let identifier = record.identifier("NSUserInfo") else { return nil }
    return try archive.value(at: identifier) as? [AnyHashable: Any]
  }

  private func expression(_ key: String, of record: ArchiveRecord) throws -> NSExpression? {
    try record.record(key).map { try reader.expression($0) }
  }
}
