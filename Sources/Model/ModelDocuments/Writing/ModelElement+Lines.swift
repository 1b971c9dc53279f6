extension ModelElement {
  /// Attributes written first, in Xcode's order; others follow by name.
  private static let order = [
    "name", "property", "expression", "type", "documentVersion", "lastSavedToolsVersion",
    "systemVersion",
    "minimumToolsVersion", "sourceLanguage", "userDefinedModelVersionIdentifier", "id",
    "representedClassName", "parentEntity", "isAbstract", "optional", "transient", "toMany",
    "minCount", "maxCount", "deletionRule", "ordered", "destinationEntity", "inverseName",
    "inverseEntity", "attributeType", "minDateTimeInterval", "maxDateTimeInterval",
    "defaultDateTimeInterval", "minValueString", "maxValueString", "regularExpressionString",
    "defaultValueString", "derived", "derivationExpression", "usesScalarValueType",
    "valueTransformerName", "customClassName", "allowsExternalBinaryDataStorage",
    "spotlightIndexingEnabled", "preserveAfterDeletion", "allowsCloudEncryption", "indexed",
    "elementID", "versionHashModifier", "syncable", "codeGenerationType",
  ]
  private static let places = Dictionary(
    order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  private static let indentation = "    "

  /// The place of an attribute among others in the files that Xcode writes.
  package static func place(of attribute: String) -> Int { places[attribute] ?? Int.max }

  /// The element as XML with a line for each element. Equal elements give equal texts.
  package var lines: String {
    var text = ""
    write(to: &text, indentation: "")
    return text
  }

  private func write(to text: inout String, indentation: String) {
    text += indentation + "<" + name
    for (key, value) in sortedAttributes { text += " \(key)=\"\(Self.escaped(value))\"" }
    guard !children.isEmpty || !content.isEmpty else {
      text += "/>\n"
      return
    }
    text += ">" + Self.escaped(content)
    if !children.isEmpty {
      text += "\n"
      for child in children { child.write(to: &text, indentation: indentation + Self.indentation) }
      text += indentation
    }
    text += "</\(name)>\n"
  }

  private var sortedAttributes: [(key: String, value: String)] {
    attributes.sorted { left, right in
      let (one, other) = (Self.places[left.key] ?? Int.max, Self.places[right.key] ?? Int.max)
      return one == other ? left.key < right.key : one < other
    }
  }
}
