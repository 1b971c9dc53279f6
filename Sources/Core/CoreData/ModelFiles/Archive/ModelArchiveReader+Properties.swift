import Foundation

extension ModelArchiveReader {
  private static let externalStorageFlag = 4
  private static let preservesOnDeletionFlag = 16
  /// The maximum length of a chain of proxies. Proxies of proxies are not known to occur; longer
  /// chains count as damage.
  private static let mostProxies = 8

  /// Reads a property from its record, or from the record to which the proxy of an inherited
  /// property refers.
  func property(from record: ArchiveRecord) throws -> NSPropertyDescription {
    var record = record
    for _ in 0..<Self.mostProxies where record.className == "_NSPropertyDescriptionProxy" {
      guard let underlying = try record.record("NSUnderlyingProperty") else {
        throw record.wrong("NSUnderlyingProperty", expected: "a property")
      }
      record = underlying
    }
    return try propertyOfKind(record, depth: 0)
  }

  private func propertyOfKind(
    _ record: ArchiveRecord, depth: Int
  ) throws -> NSPropertyDescription {
    guard depth < KeyedArchive.deepest else {
      throw archive.error("composites are nested too deep")
    }
    let property: NSPropertyDescription
    switch record.className {
    case "NSAttributeDescription":
      property = try attribute(NSAttributeDescription(), record: record)
    case "NSDerivedAttributeDescription": property = try derivedAttribute(record)
    case "NSCompositeAttributeDescription": property = try composite(record, depth: depth)
    case "NSRelationshipDescription": property = try relationship(record)
    case "NSFetchedPropertyDescription": property = try fetchedProperty(record)
    case "NSExpressionDescription": property = try expressionProperty(record)
    default: throw archive.error("“\(record.className)” is not a kind of property that is known")
    }
    try setCommon(of: property, from: record)
    return property
  }

  private func attributeType(_ record: ArchiveRecord, key: String) throws -> NSAttributeType {
    let raw = try record.integer(key) ?? 0
    guard let type = UInt(exactly: raw).flatMap(NSAttributeType.init(rawValue:)) else {
      throw record.wrong(key, expected: "a known type of attribute (found \(raw))")
    }
    return type
  }

  private func attribute<Attribute: NSAttributeDescription>(
    _ attribute: Attribute, record: ArchiveRecord
  ) throws -> Attribute {
    attribute.attributeType = try attributeType(record, key: "NSAttributeType")
    attribute.attributeValueClassName = try record.text("NSAttributeValueClassName")
    attribute.valueTransformerName = try record.text("NSValueTransformerName")
    if let value = record.fields["NSDefaultValue"] {
      let identifier = KeyedArchive.identifier(value)
      let found: Any? = try identifier.map { try archive.value(at: $0) } ?? value
      attribute.defaultValue = try (found as? ArchivedUnknownObject)?.unarchived() ?? found
    }
    let flags = try record.integer("NSFlagsKey") ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & Self.externalStorageFlag != 0
    attribute.preservesValueInHistoryOnDeletion = flags & Self.preservesOnDeletionFlag != 0
    attribute.allowsCloudEncryption = try record.flag(ModelArchiveWriter.cloudEncryption)
    return attribute
  }

  private func derivedAttribute(_ record: ArchiveRecord) throws -> NSDerivedAttributeDescription {
    let attribute = try attribute(NSDerivedAttributeDescription(), record: record)
    attribute.derivationExpression = try record.record("NSDerivationExpression").map {
      try expression($0)
    }
    attribute.filteringPredicate = try record.record("NSFilteringPredicate").map {
      try predicate($0)
    }
    return attribute
  }

  private func composite(
    _ record: ArchiveRecord, depth: Int
  ) throws -> NSCompositeAttributeDescription {
    let attribute = try attribute(NSCompositeAttributeDescription(), record: record)
    // The second key is that of archives of earlier versions of this package.
    let key = ["NSCompositeElements", "NSCompositeAttributeElements"].first {
      record.fields[$0] != nil
    }
    attribute.elements = try record.elements(key ?? "NSCompositeElements").map { identifier in
      guard let element = try archive.record(at: identifier),
        let made = try propertyOfKind(element, depth: depth + 1) as? NSAttributeDescription
      else { throw record.wrong("NSCompositeElements", expected: "attributes") }
      return made
    }
    return attribute
  }

  private func relationship(_ record: ArchiveRecord) throws -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.setNames(
      destination: try name(
        of: record, "_NSDestinationEntityName", objectKey: "NSDestinationEntity",
        nameKey: "NSEntityName"),
      inverse: try name(
        of: record, "_NSInverseRelationshipName", objectKey: "NSInverseRelationship",
        nameKey: "NSPropertyName"))
    relationship.maxCount = try record.integer("NSMaxCount") ?? 0
    relationship.minCount = try record.integer("NSMinCount") ?? 0
    relationship.isOrdered = try record.flag("NSIsOrdered")
    let raw = try record.integer("NSDeleteRule") ?? 0
    guard let rule = UInt(exactly: raw).flatMap(NSDeleteRule.init(rawValue:)) else {
      throw record.wrong("NSDeleteRule", expected: "0 to 3")
    }
    relationship.deleteRule = rule
    return relationship
  }

  /// The name in a field, or else the name of the object that another field refers to.
  private func name(
    of record: ArchiveRecord, _ key: String, objectKey: String, nameKey: String
  ) throws -> String? {
    if let name = try record.text(key), !name.isEmpty { return name }
    return try record.record(objectKey)?.text(nameKey)
  }

  private func fetchedProperty(_ record: ArchiveRecord) throws -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    let name = try record.text("_NSFetchRequestEntityName")
    property.fetchRequest = try record.record("NSFetchRequest").map {
      try fetchRequest(from: $0, entityName: name)
    }
    return property
  }

  private func expressionProperty(_ record: ArchiveRecord) throws -> NSExpressionDescription {
    let property = NSExpressionDescription()
    property.expression = try record.record("NSExpression").map { try expression($0) }
    property.expressionResultType = try attributeType(record, key: "NSExpressionResultType")
    return property
  }
}
