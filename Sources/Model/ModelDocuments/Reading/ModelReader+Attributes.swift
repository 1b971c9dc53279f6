extension ModelReader {
  mutating func attribute(from element: ModelElement, entity: String) throws -> ModelProperty {
    try attribute(from: element, entity: entity, within: [])
  }

  /// - Parameter within: the names of the enclosing composites; none may contain itself.
  private mutating func attribute(
    from element: ModelElement, entity: String, within: Set<String>
  ) throws -> ModelProperty {
    let text = element["attributeType"] ?? ModelAttributeType.undefined.rawValue
    guard let type = ModelAttributeType(rawValue: text) else {
      throw error(
        element, entity: entity, property: element["name"],
        problem: "“\(text)” is not a type of attributes that is known; expected one of "
          + ModelAttributeType.allCases.map(\.rawValue).joined(separator: ", "))
    }
    var attribute = ModelAttribute(type: type)
    if type == .composite {
      attribute.form = try composite(from: element, entity: entity, within: within)
    } else if element.isYes("derived") {
      try checkDerivation(of: element, entity: entity)
      attribute.form = .derived(element["derivationExpression"])
    }
    attribute.customClassName = element["customClassName"]
    attribute.valueTransformerName = element["valueTransformerName"]
    attribute.allowsExternalBinaryDataStorage = element.isYes("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = element.isYes("preserveAfterDeletion")
    attribute.allowsCloudEncryption = element.isYes("allowsCloudEncryption")
    attribute.usesScalarValueType = element.isYes("usesScalarValueType")
    attribute.defaultValue = defaultValue(of: element, type: type, entity: entity)
    attribute.limits = limits(of: element, type: type, entity: entity)
    return try property(from: element, kind: .attribute(attribute))
  }

  private mutating func composite(
    from element: ModelElement, entity: String, within: Set<String>
  ) throws -> ModelAttribute.Form {
    let name = element["composite"] ?? ""
    guard let definition = composites[name] else {
      throw error(
        element, entity: entity, property: element["name"],
        problem: "there is no composite named “\(name)”")
    }
    guard !within.contains(name) else {
      throw error(
        element, entity: entity, property: element["name"],
        problem: "the composite “\(name)” contains itself")
    }
    let elements = try definition.children(named: "attribute").map {
      try attribute(from: $0, entity: entity, within: within.union([name]))
    }
    return .composite(name: name, elements: elements)
  }
}
