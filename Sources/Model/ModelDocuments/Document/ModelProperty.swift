/// The description of a property in a model file.
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

/// The description of an attribute in a model file.
package struct ModelAttribute: Sendable {
  /// The form of an attribute, in addition to its type.
  package enum Form: Sendable {
    case plain
    /// A derived attribute, with the text of its expression.
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

/// The values that an attribute may have; for strings, minimum and maximum are lengths.
package struct ModelLimits: Sendable {
  package var minimum: ModelConstant?
  package var maximum: ModelConstant?
  package var pattern: String?

  package init() {}
}

/// The description of a relationship in a model file.
package struct ModelRelationship: Sendable {
  package let destination: String
  package let inverse: String?
  package let maxCount: Int
  package let minCount: Int
  package let isOrdered: Bool
  /// The number of the delete rule (see `ModelReader.deleteRules`).
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
