import Foundation

extension ModelWriter {
  /// The element of a property; `entity` is nil for elements of a composite.
  func property(_ property: ModelProperty, of entity: ModelEntity?) -> ModelElement {
    var attributes = ["name": property.name]
    attributes["optional"] = property.isOptional ? "YES" : nil
    attributes["elementID"] = property.renamingIdentifier
    attributes["versionHashModifier"] = property.versionHashModifier
    attributes["spotlightIndexingEnabled"] = property.isIndexedBySpotlight ? "YES" : nil
    attributes["storedInTruthFile"] = property.isStoredInExternalRecord ? "YES" : nil
    let name: String
    var children: [ModelElement] = []
    switch property.kind {
    case .attribute(let attribute):
      name = "attribute"
      attributes["transient"] = property.isTransient ? "YES" : nil
      attributes["indexed"] = property.isIndexed ? "YES" : nil
      attributes.merge(Self.fields(of: attribute)) { _, new in new }
    case .relationship(let relationship):
      name = "relationship"
      attributes["transient"] = property.isTransient ? "YES" : nil
      attributes["indexed"] = property.isIndexed ? "YES" : nil
      attributes.merge(Self.fields(of: relationship)) { _, new in new }
    case .fetched(let request):
      name = "fetchedProperty"
      children = [fetchRequest(request, name: "fetchedPropertyFetchRequest")]
    }
    return ModelElement(
      name: name, attributes: attributes, children: children + Self.userInfo(property.userInfo))
  }

  private static func fields(of attribute: ModelAttribute) -> [String: String] {
    var fields = ["attributeType": attribute.type.rawValue]
    switch attribute.form {
    case .plain: break
    case .derived(let text):
      fields["derived"] = "YES"
      fields["derivationExpression"] = text
    case .composite(let name, _): fields["composite"] = name
    }
    fields["customClassName"] = attribute.customClassName
    fields["valueTransformerName"] = attribute.valueTransformerName
    fields["allowsExternalBinaryDataStorage"] =
      attribute.allowsExternalBinaryDataStorage ? "YES" : nil
    fields["preserveAfterDeletion"] = attribute.preservesValueInHistoryOnDeletion ? "YES" : nil
    fields["allowsCloudEncryption"] = attribute.allowsCloudEncryption ? "YES" : nil
    fields["usesScalarValueType"] = scalar(attribute)
    let isDate = attribute.type == .date
    fields[isDate ? "defaultDateTimeInterval" : "defaultValueString"] = attribute.defaultValue?.text
    fields[isDate ? "minDateTimeInterval" : "minValueString"] = attribute.limits.minimum?.text
    fields[isDate ? "maxDateTimeInterval" : "maxValueString"] = attribute.limits.maximum?.text
    fields["regularExpressionString"] = attribute.limits.pattern
    return fields
  }

  /// The value of `usesScalarValueType`. Xcode writes it only for types with a scalar form.
  private static func scalar(_ attribute: ModelAttribute) -> String? {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .date, .uuid, .uri:
      attribute.usesScalarValueType ? "YES" : "NO"
    default: nil
    }
  }

  private static func fields(of relationship: ModelRelationship) -> [String: String] {
    var fields = ["destinationEntity": relationship.destination]
    fields["inverseName"] = relationship.inverse
    fields["inverseEntity"] = relationship.inverse.map { _ in relationship.destination }
    fields["toMany"] = relationship.isToMany ? "YES" : nil
    fields["maxCount"] = relationship.maxCount == 0 ? nil : String(relationship.maxCount)
    fields["minCount"] = relationship.minCount == 0 ? nil : String(relationship.minCount)
    fields["ordered"] = relationship.isOrdered ? "YES" : nil
    fields["deletionRule"] =
      ModelReader.deleteRules.first { $0.value == relationship.deleteRule }?.key
    return fields
  }
}

extension ModelConstant {
  /// The value in the syntax of model files; dates are seconds since the beginning of 2001.
  var text: String {
    switch self {
    case .integer(let number): String(number)
    case .double(let number): "\(number)"
    case .float(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .boolean(let flag): flag ? "YES" : "NO"
    case .text(let text): text
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    }
  }
}
