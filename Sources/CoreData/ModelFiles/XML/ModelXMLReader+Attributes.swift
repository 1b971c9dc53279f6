import Foundation

extension ModelXMLReader {
  func attribute(from element: ModelElement, entity: String) throws -> NSAttributeDescription {
    try attribute(from: element, entity: entity, within: [])
  }

  /// `within` has the names of the composites that lead here, so that one cannot contain itself.
  private func attribute(
    from element: ModelElement, entity: String, within: Set<String>
  ) throws -> NSAttributeDescription {
    let type = try attributeType(of: element, entity: entity)
    let attribute = try makeAttribute(type: type, element: element, entity: entity, within: within)
    try setCommon(of: attribute, from: element)
    attribute.attributeType = type
    if let custom = element["customClassName"] { attribute.attributeValueClassName = custom }
    attribute.valueTransformerName = element["valueTransformerName"]
    attribute.allowsExternalBinaryDataStorage = element.isYes("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = element.isYes("preserveAfterDeletion")
    attribute.allowsCloudEncryption = element.isYes("allowsCloudEncryption")
    attribute.usesScalarValueType = element.isYes("usesScalarValueType")
    attribute.defaultValue = try defaultValue(of: element, type: type, entity: entity)
    try addValidation(from: element, to: attribute, entity: entity)
    return attribute
  }

  private func attributeType(of element: ModelElement, entity: String) throws -> NSAttributeType {
    let text = element["attributeType"] ?? "Undefined"
    guard let type = AttributeTypeNames.types[text] else {
      throw error(
        element, entity: entity, property: element["name"],
        "“\(text)” is not a type of attributes that is known")
    }
    return type
  }

  private func makeAttribute(
    type: NSAttributeType, element: ModelElement, entity: String, within: Set<String>
  ) throws -> NSAttributeDescription {
    if type == .compositeAttributeType {
      return try composite(from: element, entity: entity, within: within)
    }
    guard element.isYes("derived") else { return NSAttributeDescription() }
    let attribute = NSDerivedAttributeDescription()
    if let text = element["derivationExpression"] {
      attribute.derivationExpression = try expression(
        text, in: element, entity: entity, property: element["name"])
    }
    return attribute
  }

  private func composite(
    from element: ModelElement, entity: String, within: Set<String>
  ) throws -> NSCompositeAttributeDescription {
    let name = element["composite"] ?? ""
    guard let definition = composites[name] else {
      throw error(
        element, entity: entity, property: element["name"], "there is no composite named “\(name)”")
    }
    guard !within.contains(name) else {
      throw error(
        element, entity: entity, property: element["name"],
        "the composite “\(name)” contains itself")
    }
    let attribute = NSCompositeAttributeDescription()
    attribute.compositeName = name
    attribute.elements = try definition.children(named: "attribute").map {
      try self.attribute(from: $0, entity: entity, within: within.union([name]))
    }
    return attribute
  }
}
