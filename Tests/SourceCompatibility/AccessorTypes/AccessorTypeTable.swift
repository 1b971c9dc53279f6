import Foundation

/// Which Swift types a class may declare for which attribute of a model, and the source of a class that
/// declares all of them.
///
/// `TypedObject.swift`, with its extensions, is that source. After an edit here,
/// `REGENERATE=1 swift test --filter AccessorType` writes it anew.
enum AccessorTypeTable {
  struct Row {
    /// The case of `NSAttributeType` without its ending.
    let attribute: String
    let type: String
    /// An expression for a value.
    let value: String
    /// What nil reads as through the type; nil where reading stops the program.
    let empty: String?

    init(_ attribute: String, _ type: String, _ value: String, empty: String? = nil) {
      self.attribute = attribute
      self.type = type
      self.value = value
      self.empty = empty
    }
  }

  private static let integers = ["integer16", "integer32", "integer64"].flatMap { attribute in
    [
      "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt", "Double",
      "Float", "Decimal",
    ]
    .map { Row(attribute, $0, "7", empty: "0") }
      + ["Int", "Int16", "Int32", "Int64"].map {
        Row(attribute, "\($0)Case", ".second", empty: ".first")
      }
      + [
        Row(attribute, "Options", "[.second]", empty: "[]"),
        Row(attribute, "NSNumber", "NSNumber(value: 7)"),
        Row(attribute, "Any", "NSNumber(value: 7)"),
        Row(attribute, "AnyObject", "NSNumber(value: 7)"),
        Row(attribute, "NSObject", "NSNumber(value: 7)"),
      ]
  }

  private static let reals = ["double", "float"].flatMap { attribute in
    ["Double", "Float", "CGFloat", "Decimal"].map { Row(attribute, $0, "1.5", empty: "0") }
      + [Row(attribute, "NSNumber", "NSNumber(value: 1.5)")]
  }

  private static let others = [
    Row("boolean", "Bool", "true", empty: "false"), Row("boolean", "Int", "1", empty: "0"),
    Row("boolean", "NSNumber", "NSNumber(value: true)"),
    Row("decimal", "Decimal", "1.5", empty: "0"), Row("decimal", "Double", "1.5", empty: "0"),
    Row("decimal", "Int", "7", empty: "0"),
    Row("decimal", "NSDecimalNumber", "NSDecimalNumber(string: \"1.5\")"),
    Row("decimal", "NSNumber", "NSDecimalNumber(string: \"1.5\")"),
    Row("string", "String", "\"text\"", empty: "\"\""),
    Row("string", "StringCase", ".second", empty: ".first"),
    Row("string", "NSString", "NSString(string: \"text\")"),
    Row("string", "Any", "\"text\""), Row("string", "AnyObject", "NSString(string: \"text\")"),
    Row("string", "NSObject", "NSString(string: \"text\")"),
    Row("string", "any NSCoding", "NSString(string: \"text\")"),
    Row(
      "date", "Date", "Date(timeIntervalSinceReferenceDate: 5)",
      empty: "Date(timeIntervalSinceReferenceDate: 0)"),
    Row("date", "NSDate", "NSDate(timeIntervalSinceReferenceDate: 5)"),
    Row("date", "Any", "Date(timeIntervalSinceReferenceDate: 5)"),
    Row("binaryData", "Data", "Data([1, 2])", empty: "Data()"),
    Row("binaryData", "NSData", "NSData(data: Data([1, 2]))"),
    Row("UUID", "UUID", "UUID(uuidString: \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\")!"),
    Row("UUID", "NSUUID", "NSUUID(uuidString: \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\")!"),
    Row("URI", "URL", "URL(string: \"https://example.org/a\")!"),
    Row("URI", "NSURL", "NSURL(string: \"https://example.org/a\")!"),
    Row("transformable", "[String]", "[\"a\", \"b\"]", empty: "[]"),
    Row("transformable", "[String: Int]", "[\"a\": 1]", empty: "[:]"),
    Row("transformable", "NSArray", "NSArray(array: [\"a\"])"),
    Row("transformable", "NSDictionary", "NSDictionary(dictionary: [\"a\": \"b\"])"),
    Row("transformable", "NSObject", "NSString(string: \"text\")"),
    Row("transformable", "any NSCoding & NSObjectProtocol", "NSString(string: \"text\")"),
    Row("composite", "[String: Any]", "[\"part\": \"text\"]", empty: "[:]"),
    Row("composite", "NSDictionary", "NSDictionary(dictionary: [\"part\": \"text\"])"),
  ]

  private static let relationships = [
    Row("toOne", "TypedObject", "TypedObject.self"),
    Row("toOne", "NSManagedObject", "TypedObject.self"),
    Row("toMany", "NSSet", "NSSet.self", empty: "[]"),
    Row("toMany", "Set<TypedObject>", "Set.self", empty: "[]"),
    Row("toMany", "Set<NSManagedObject>", "Set.self", empty: "[]"),
    Row("ordered", "NSOrderedSet", "NSOrderedSet.self", empty: "[]"),
    Row("ordered", "[TypedObject]", "Array.self", empty: "[]"),
  ]

  // MARK: - Sources

  /// The generated files by name: of the class, and of an extension for each group of rows.
  static var sources: [String: String] {
    let rows = (integers + reals + others).enumerated().map { ($0.offset, $0.element) }
    let groups = Dictionary(grouping: rows) { group(of: $0.1) }
    var sources = ["TypedObject.swift": wholeClass(groups.keys.sorted())]
    for (name, rows) in groups { sources["TypedObject+\(name).swift"] = attributes(rows, name) }
    sources["TypedObject+Relationships.swift"] = links
    return sources
  }

  private static func group(of row: Row) -> String {
    switch row.attribute {
    case let name where name.hasPrefix("integer"): name.capitalized
    case "double", "float": "Reals"
    default: "Others"
    }
  }

  private static let head = """
    // swift-format-ignore-file
    // Generated by AccessorTypeTable.swift. Do not edit.

    import CoreData
    import Foundation

    """

  private static func wholeClass(_ groups: [String]) -> String {
    """
    \(head)
    /// An object with a property of every type that a class can declare.
    final class TypedObject: NSManagedObject {}

    extension AttributeCase {
      static var all: [AttributeCase] {
        \(groups.map { $0.lowercased() }.joined(separator: " + "))
      }
    }

    """
  }

  private static func attributes(_ rows: [(Int, Row)], _ group: String) -> String {
    let declarations = rows.flatMap { Self.declarations(of: $0.1, number: $0.0) }
    let cases = rows.map { number, row in
      let name = "\(row.attribute)_\(number)"
      let empty = row.empty.map { ", empty: \($0)" } ?? ""
      let forms = (0..<3).map { form in
        "\\.\(name)_\(form), { $0.\(name)_\(form) = $1 }"
      }
      return """
            cases += forms(
              "\(name)", .\(row.attribute)AttributeType, \(row.value)\(empty),
              \(forms.joined(separator: ",\n      ")))

        """
    }
    return """
      \(head)
      extension TypedObject {
      \(declarations.joined())}

      extension AttributeCase {
        static var \(group.lowercased()): [AttributeCase] {
          var cases: [AttributeCase] = []
      \(cases.joined())    return cases
        }
      }

      """
  }

  private static var links: String {
    let rows = relationships.enumerated().map { ($0.offset, $0.element) }
    let declarations = rows.flatMap { Self.declarations(of: $0.1, number: $0.0) }
    let cases = rows.flatMap { number, row in
      (0..<3).map { form in
        let name = "\(row.attribute)_\(number)_\(form)"
        return
          "      RelationshipCase(\"\(name)\", .\(row.attribute), \\.\(name)) { $0.\(name) = $1 },\n"
      }
    }
    return """
      \(head)
      extension TypedObject {
      \(declarations.joined())}

      extension RelationshipCase {
        static var all: [RelationshipCase] {
          [
      \(cases.joined())    ]
        }
      }

      """
  }

  /// The properties of a row: of the type itself, optional, and implicitly unwrapped.
  private static func declarations(of row: Row, number: Int) -> [String] {
    ["", "?", "!"].enumerated().map { form, mark in
      let type = mark.isEmpty || !row.type.hasPrefix("any ") ? row.type : "(\(row.type))"
      return "  @NSManaged var \(row.attribute)_\(number)_\(form): \(type)\(mark)\n"
    }
  }
}
