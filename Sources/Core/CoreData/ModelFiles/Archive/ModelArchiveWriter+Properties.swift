import Foundation

extension ModelArchiveWriter {
  func write(
    _ property: NSPropertyDescription, into room: ArchiveBuilder.Reference,
    entity: ArchiveBuilder.Reference
  ) throws {
    var fields = try commonFields(of: property)
    fields["NSEntity"] = entity
    var names = ArchiveClass.property("NSPropertyDescription")
    switch property {
    case let attribute as NSAttributeDescription:
      names = className(of: attribute)
      try addFields(of: attribute, to: &fields)
    case let relationship as NSRelationshipDescription:
      names = ArchiveClass.property("NSRelationshipDescription")
      addFields(of: relationship, to: &fields)
    case let fetched as NSFetchedPropertyDescription:
      names = ArchiveClass.property("NSFetchedPropertyDescription")
      fields["NSFetchRequest"] = try fetched.fetchRequest.map { try write($0) } ?? .null
      fields["_NSFetchRequestEntityName"] = builder.string(fetched.fetchRequest?.entityName)
    case let computed as NSExpressionDescription:
      names = ArchiveClass.property("NSExpressionDescription")
      fields["NSExpression"] = try computed.expression.map { try write($0) } ?? .null
      fields["NSExpressionResultType"] = Int(computed.expressionResultType.rawValue)
    default: break
    }
    builder.fill(room, class: names, fields: fields)
  }

  private func className(of attribute: NSAttributeDescription) -> [String] {
    switch attribute {
    case is NSDerivedAttributeDescription: ArchiveClass.attribute("NSDerivedAttributeDescription")
    case is NSCompositeAttributeDescription:
      ArchiveClass.attribute("NSCompositeAttributeDescription")
    default: ArchiveClass.property("NSAttributeDescription")
    }
  }

  private func commonFields(of property: NSPropertyDescription) throws -> [String: Any] {
    var fields: [String: Any] = [
      "NSPropertyName": builder.string(property.name),
      "NSRenamingIdentifier": builder.string(property.renamingIdentifier),
      "_P": PropertyBits.bits(of: property),
    ]
    if property.isOptional { fields["NSIsOptional"] = true }
    if property.isTransient { fields["NSIsTransient"] = true }
    if PropertyBits.isReadOnly(property) { fields["NSIsReadOnly"] = true }
    if property.storedIsIndexed { fields["NSIsIndexed"] = true }
    if property.isIndexedBySpotlight { fields["NSIndexedBySpotlight"] = true }
    if property.storedInExternalRecord { fields["NSIsStoredInTruth"] = true }
    if let userInfo = property.userInfo, !userInfo.isEmpty {
      fields["NSUserInfo"] = try value(userInfo)
    }
    if let modifier = property.versionHashModifier {
      fields["NSVersionHashModifier"] = builder.string(modifier)
    }
    guard !property.validationPredicates.isEmpty else { return fields }
    fields["NSValidationPredicates"] = builder.list(
      try property.validationPredicates.map { try write($0) }, class: ArchiveClass.array)
    fields["NSValidationWarnings"] = builder.list(
      try property.validationWarnings.map { try value($0) }, class: ArchiveClass.array)
    return fields
  }

  private func addFields(
    of attribute: NSAttributeDescription, to fields: inout [String: Any]
  ) throws {
    let external = attribute.allowsExternalBinaryDataStorage ? 4 : 0
    let preserved = attribute.preservesValueInHistoryOnDeletion ? 16 : 0
    fields["NSFlagsKey"] = external | preserved
    if attribute.allowsCloudEncryption { fields[Self.cloudEncryption] = true }
    fields["NSAttributeType"] = Int(attribute.attributeType.rawValue)
    fields["NSAttributeValueClassName"] = builder.string(attribute.attributeValueClassName)
    fields["NSValueTransformerName"] = builder.string(attribute.valueTransformerName)
    fields["NSDefaultValue"] = try defaultValue(of: attribute)
    if let derived = attribute as? NSDerivedAttributeDescription {
      fields["NSDerivationExpression"] =
        try derived.derivationExpression.map { try write($0) } ?? .null
      fields["NSFilteringPredicate"] = try derived.filteringPredicate.map { try write($0) } ?? .null
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      let elements = try composite.elements.map { element in
        let room = builder.reserve()
        try write(element, into: room, entity: .null)
        return room
      }
      fields["NSCompositeElements"] = builder.list(elements, class: ArchiveClass.array)
    }
  }

  /// The default value. Booleans are written as such: `NSNumber` can hold either, but archives
  /// distinguish Booleans and numbers.
  private func defaultValue(
    of attribute: NSAttributeDescription
  ) throws -> ArchiveBuilder.Reference {
    guard let value = attribute.defaultValue else { return .null }
    if attribute.attributeType == .booleanAttributeType, let flag = value as? Bool {
      return builder.plain(flag)
    }
    return try self.value(value)
  }

  private func addFields(
    of relationship: NSRelationshipDescription, to fields: inout [String: Any]
  ) {
    fields["NSDestinationEntity"] = reference(toEntity: relationship.destinationEntityName)
    fields["_NSDestinationEntityName"] = builder.string(relationship.destinationEntityName)
    fields["NSInverseRelationship"] = reference(to: relationship.inverseRelationship)
    fields["_NSInverseRelationshipName"] = builder.string(relationship.inverseRelationshipName)
    fields["NSMaxCount"] = relationship.maxCount
    fields["NSMinCount"] = relationship.minCount
    fields["NSDeleteRule"] = Int(relationship.deleteRule.rawValue)
    if relationship.isOrdered { fields["NSIsOrdered"] = true }
  }

  /// The uniqueness constraints and indexes of an entity; empty if it has none.
  func indexFields(of entity: NSEntityDescription) throws -> [String: Any] {
    var fields: [String: Any] = [:]
    let tuples = entity.uniquenessConstraintNames
    if !tuples.isEmpty { fields["NSUniqueTuples"] = lists(of: tuples) }
    guard !entity.indexes.isEmpty else { return fields }
    let indexes = entity.indexes.sorted { $0.name < $1.name }
    let names = indexes.map { $0.elements.compactMap(\.propertyName) }
    fields["NSCompoundIndexes"] = lists(of: names.filter { $0.count > 1 })
    fields["NSFetchIndexDescriptions"] = builder.list(
      try indexes.map { try write($0, entity: entity) }, class: ArchiveClass.mutableArray)
    return fields
  }

  private func lists(of names: [[String]]) -> ArchiveBuilder.Reference {
    let inner = names.map { group in
      builder.list(group.map { builder.string($0) }, class: ArchiveClass.mutableArray)
    }
    return builder.list(inner, class: ArchiveClass.mutableArray)
  }

  private func write(
    _ index: NSFetchIndexDescription, entity: NSEntityDescription
  ) throws -> ArchiveBuilder.Reference {
    let room = builder.reserve()
    let elements = try index.elements.map { element in
      var fields: [String: Any] = [
        "NSPropertyName": builder.string(element.propertyName),
        "NSFetchIndexElementType": Int(element.collationType.rawValue),
        "NSAscending": element.isAscending, "NSFetchIndexDescription": room,
      ]
      if let expression = element.property as? NSExpressionDescription {
        let inner = builder.reserve()
        try write(expression, into: inner, entity: .null)
        fields["NSIndexedProperty"] = inner
      }
      return builder.add(class: ArchiveClass.fetchIndexElement, fields)
    }
    builder.fill(
      room, class: ArchiveClass.fetchIndex,
      fields: [
        "NSIndexName": builder.string(index.name),
        "NSEntity": reference(toEntity: entity.name),
        "NSIndexElements": builder.list(elements, class: ArchiveClass.array),
        "NSPartialIndexPredicate": try index.partialIndexPredicate.map { try write($0) } ?? .null,
      ])
    return room
  }
}

/// The bits of `_P`: flags of the property, and which of its fields are nil.
private enum PropertyBits {
  private static let always = 1
  private static let optional = 2
  private static let readOnly = 4
  private static let transient = 8
  private static let withoutPredicates = 16 | 32
  private static let withoutUserInfo = 64
  private static let withoutModifier = 128
  private static let ordered = 1024

  static func bits(of property: NSPropertyDescription) -> Int {
    var bits = always
    if property.isOptional { bits |= optional }
    if isReadOnly(property) { bits |= readOnly }
    if property.isTransient { bits |= transient }
    if property.validationPredicates.isEmpty { bits |= withoutPredicates }
    if property.userInfo?.isEmpty ?? true { bits |= withoutUserInfo }
    if property.versionHashModifier == nil { bits |= withoutModifier }
    if (property as? NSRelationshipDescription)?.isOrdered == true { bits |= ordered }
    return bits
  }

  static func isReadOnly(_ property: NSPropertyDescription) -> Bool {
    property is NSFetchedPropertyDescription || property is NSDerivedAttributeDescription
  }
}

extension ModelArchiveWriter {
  /// A key of this package: Apple's key is not known, and readers ignore unknown keys.
  static let cloudEncryption = "OpenCoreDataAllowsCloudEncryption"
}
