import Foundation

extension ModelBuilder {
  func property(of source: ModelProperty, entity: String) throws -> NSPropertyDescription {
    let property: NSPropertyDescription
    switch source.kind {
    case .attribute(let attribute):
      property = try self.attribute(of: attribute, named: source, entity: entity)
    case .relationship(let relationship): property = Self.relationship(of: relationship)
    case .fetched(let request):
      let fetched = NSFetchedPropertyDescription()
      fetched.fetchRequest = try fetchRequest(
        of: request, entity: entity, property: source.name)
      property = fetched
    }
    property.name = source.name
    property.isOptional = source.isOptional
    property.isTransient = property.isTransient || source.isTransient
    property.renamingIdentifier = source.renamingIdentifier
    property.versionHashModifier = source.versionHashModifier
    property.storedIsIndexed = source.isIndexed
    property.isIndexedBySpotlight = source.isIndexedBySpotlight
    property.storedInExternalRecord = source.isStoredInExternalRecord
    property.userInfo = source.userInfo.isEmpty ? nil : source.userInfo
    return property
  }

  private func attribute(
    of source: ModelAttribute, named property: ModelProperty, entity: String
  ) throws -> NSAttributeDescription {
    let attribute = try form(of: source, named: property, entity: entity)
    attribute.attributeType =
      NSAttributeType(rawValue: source.type.number) ?? .undefinedAttributeType
    if let custom = source.customClassName { attribute.attributeValueClassName = custom }
    attribute.valueTransformerName = source.valueTransformerName
    attribute.allowsExternalBinaryDataStorage = source.allowsExternalBinaryDataStorage
    attribute.preservesValueInHistoryOnDeletion = source.preservesValueInHistoryOnDeletion
    attribute.allowsCloudEncryption = source.allowsCloudEncryption
    attribute.usesScalarValueType = source.usesScalarValueType
    attribute.defaultValue = source.defaultValue?.value
    let rules = LimitRules(limits: source.limits, type: source.type).rules
    attribute.setValidationPredicates(
      rules.map(\.predicate), withValidationWarnings: rules.map { NSNumber(value: $0.code) })
    return attribute
  }

  private func form(
    of source: ModelAttribute, named property: ModelProperty, entity: String
  ) throws -> NSAttributeDescription {
    switch source.form {
    case .plain: return NSAttributeDescription()
    case .derived(let text):
      let attribute = NSDerivedAttributeDescription()
      attribute.derivationExpression = try text.map {
        try expression($0, line: property.line, entity: entity, property: property.name)
      }
      return attribute
    case .composite(let name, let elements):
      let attribute = NSCompositeAttributeDescription()
      attribute.compositeName = name
      attribute.elements = try elements.compactMap {
        try self.property(of: $0, entity: entity) as? NSAttributeDescription
      }
      return attribute
    }
  }

  private static func relationship(of source: ModelRelationship) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.setNames(destination: source.destination, inverse: source.inverse)
    relationship.maxCount = source.maxCount
    relationship.minCount = source.minCount
    relationship.isOrdered = source.isOrdered
    relationship.deleteRule = NSDeleteRule(rawValue: source.deleteRule) ?? .noActionDeleteRule
    return relationship
  }

  func fetchRequest(
    of source: ModelFetchRequest, entity: String?, property: String?
  ) throws -> NSFetchRequest<NSFetchRequestResult> {
    let request = NSFetchRequest<NSFetchRequestResult>(entityName: source.entityName)
    request.predicate = try source.predicate.map {
      try predicate(
        $0, line: source.line, entity: entity ?? source.entityName, property: property)
    }
    request.fetchLimit = source.limit
    request.fetchBatchSize = source.batchSize
    request.resultType = .init(rawValue: source.resultType)
    request.includesSubentities = source.includesSubentities
    request.includesPropertyValues = source.includesPropertyValues
    request.returnsObjectsAsFaults = source.returnsObjectsAsFaults
    request.returnsDistinctResults = source.returnsDistinctResults
    request.includesPendingChanges = source.includesPendingChanges
    return request
  }
}
