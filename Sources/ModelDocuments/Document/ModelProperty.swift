/// What a model file says of a property.
package struct ModelProperty: Sendable {
  package enum Kind: Sendable {
    case attribute(ModelAttribute)
    case relationship(ModelRelationship)
    case fetched(ModelFetchRequest)
  }

  package let name: String
  package let line: Int?
  package var kind: Kind
  package var isOptional = false
  package var isTransient = false
  package var versionHashModifier: String?
  package var renamingIdentifier: String?
  package var isIndexed = false
  package var isIndexedBySpotlight = false
  package var isStoredInExternalRecord = false
  package var userInfo: [String: String] = [:]

  package init(name: String, line: Int?, kind: Kind) {
    self.name = name
    self.line = line
    self.kind = kind
  }

  package var attribute: ModelAttribute? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }

  package var relationship: ModelRelationship? {
    if case .relationship(let relationship) = kind { relationship } else { nil }
  }

  package var fetchRequest: ModelFetchRequest? {
    if case .fetched(let request) = kind { request } else { nil }
  }
}

/// What a model file says of an attribute.
package struct ModelAttribute: Sendable {
  /// What the attribute is beside its type.
  package enum Form: Sendable {
    case plain
    /// The text of the expression that gives the value.
    case derived(String?)
    case composite(name: String, elements: [ModelProperty])
  }

  package let type: ModelAttributeType
  package var form = Form.plain
  package var customClassName: String?
  package var valueTransformerName: String?
  package var allowsExternalBinaryDataStorage = false
  package var preservesValueInHistoryOnDeletion = false
  package var allowsCloudEncryption = false
  package var usesScalarValueType = false
  package var defaultValue: ModelConstant?
  package var limits = ModelLimits()

  package init(type: ModelAttributeType) {
    self.type = type
  }
}

/// Which values an attribute may have: of a text, its length.
package struct ModelLimits: Sendable {
  package var minimum: ModelConstant?
  package var maximum: ModelConstant?
  package var pattern: String?

  package init() {}
}

/// What a model file says of a relationship.
package struct ModelRelationship: Sendable {
  package let destination: String
  package let inverse: String?
  package let maxCount: Int
  package let minCount: Int
  package let isOrdered: Bool
  /// As archives number the rules.
  package let deleteRule: UInt

  package init(
    destination: String, inverse: String?, maxCount: Int, minCount: Int, isOrdered: Bool,
    deleteRule: UInt
  ) {
    self.destination = destination
    self.inverse = inverse
    self.maxCount = maxCount
    self.minCount = minCount
    self.isOrdered = isOrdered
    self.deleteRule = deleteRule
  }

  package var isToMany: Bool { maxCount != 1 }
}
