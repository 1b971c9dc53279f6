import Foundation

/// Which Swift types a class may declare for which attribute of a model, and the source of a class that
/// declares all of them.
///
/// `TypedObject.swift` is that source. After an edit here, `REGENERATE=1 swift test --filter AccessorType` writes
/// it anew.
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

  /// A row as a property: of the type itself, optional, or implicitly unwrapped.
  private static func properties(of row: Row, number: Int) -> [(
    name: String, type: String, row: Row
  )] {
    ["", "?", "!"].enumerated().map { place, mark in
      let type = mark.isEmpty || !row.type.hasPrefix("any ") ? row.type : "(\(row.type))"
      return ("\(row.attribute)_\(number)_\(place)", type + mark, row)
    }
  }

  static var source: String {
    let attributes = (integers + reals + others).enumerated()
      .flatMap { properties(of: $0.element, number: $0.offset) }
    let links = relationships.enumerated()
      .flatMap { properties(of: $0.element, number: $0.offset) }
    let declarations = (attributes + links).map { "  @NSManaged var \($0.name): \($0.type)\n" }
    let cases = attributes.map { name, type, row in
      let empty = type == row.type ? row.empty : ".some(nil)"
      return """
            AttributeCase(
              "\(name)", .\(row.attribute)AttributeType, \\.\(name), \(row.value)\(empty.map { ", empty: \($0)" } ?? "")) {
                $0.\(name) = $1
              },

        """
    }
    let relationshipCases = links.map { name, _, row in
      "    RelationshipCase(\"\(name)\", .\(row.attribute), \\.\(name)) { $0.\(name) = $1 },\n"
    }
    return """
      // swift-format-ignore-file
      // Generated by AccessorTypeTable.swift. Do not edit.

      import CoreData
      import Foundation

      /// An object with a property of every type that a class can declare.
      final class TypedObject: NSManagedObject {
      \(declarations.joined())}

      extension AttributeCase {
        static var all: [AttributeCase] {
          var cases: [AttributeCase] = []
      \(cases.map { "    cases.append(\n\($0.dropLast(2)))\n" }.joined())    return cases
        }
      }

      extension RelationshipCase {
        static var all: [RelationshipCase] {
          [
      \(relationshipCases.map { "  " + $0 }.joined())    ]
        }
      }

      """
  }
}
