import CoreData
import ModelDocuments

/// The words with which the command line names what a model's XML says: Xcode's own, and shorter
/// ones.
enum ModelWords {
  private static let short = [
    "type": "attributeType", "regex": "regularExpressionString", "class": "representedClassName",
    "parent": "parentEntity", "abstract": "isAbstract", "deleteRule": "deletionRule",
    "inverse": "inverseName", "destination": "destinationEntity", "formerName": "elementID",
    "expression": "derivationExpression", "transformer": "valueTransformerName",
    "externalStorage": "allowsExternalBinaryDataStorage", "codegen": "codeGenerationType",
    "modifier": "versionHashModifier",
  ]

  /// The words of values; the XML has others for dates.
  private static let ofValues = [
    "default": ("defaultValueString", "defaultDateTimeInterval"),
    "min": ("minValueString", "minDateTimeInterval"),
    "max": ("maxValueString", "maxDateTimeInterval"),
  ]

  private static let flags: Set = [
    "optional", "transient", "toMany", "ordered", "isAbstract", "derived", "syncable",
    "usesScalarValueType", "allowsExternalBinaryDataStorage", "spotlightIndexingEnabled",
    "preserveAfterDeletion", "allowsCloudEncryption", "indexed",
  ]
  /// Flags that Xcode writes when they are NO, too.
  private static let writtenFlags: Set = ["usesScalarValueType", "syncable"]

  private static let types = [
    "int16": ModelAttributeType.integer16, "int32": .integer32, "int64": .integer64,
    "int": .integer64, "bool": .boolean, "data": .binary, "binarydata": .binary, "url": .uri,
  ]

  /// An attribute of the XML and its value; nil for a flag that is not written.
  static func word(
    _ key: String, value: String, type: ModelAttributeType?
  ) throws -> (key: String, value: String?) {
    if let names = ofValues[key] {
      guard type == .date else { return (names.0, value) }
      return (names.1, try seconds(value))
    }
    let key = short[key] ?? key
    if key == "attributeType" { return (key, self.type(value)?.rawValue ?? value) }
    guard flags.contains(key) else { return (key, value) }
    switch value.lowercased() {
    case "yes", "true", "1": return (key, "YES")
    case "no", "false", "0": return (key, writtenFlags.contains(key) ? "NO" : nil)
    default: throw ToolError(.usage, description: "“\(key)=\(value)”: expected YES or NO.")
    }
  }

  /// The name in the XML of a word of the command line.
  static func key(_ word: String, type: ModelAttributeType?) -> String {
    if let names = ofValues[word] { return type == .date ? names.1 : names.0 }
    return short[word] ?? word
  }

  /// An attribute type by Xcode's name, in any case and without spaces too, or by Swift's.
  static func type(_ name: String) -> ModelAttributeType? {
    let wanted = name.lowercased().filter { $0 != " " }
    return types[wanted]
      ?? ModelAttributeType.allCases.first {
        $0.rawValue.lowercased().filter { $0 != " " } == wanted
      }
  }

  private static func seconds(_ text: String) throws -> String {
    if Double(text) != nil { return text }
    guard let date = ISODate.date(text) else {
      throw ToolError(
        .usage,
        description:
          "“\(text)” is no date: expected 2026-11-23, 2026-11-23T01:30:00Z, or seconds since 2001.")
    }
    let seconds = date.timeIntervalSinceReferenceDate
    return Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
  }
}
