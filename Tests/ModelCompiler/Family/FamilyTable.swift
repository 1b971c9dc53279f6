/// Every form of attribute and relationship, of which the models of the targets with generated classes are made.
///
/// The types that the properties have to have are written down here by hand, apart from the generator's own table.
enum FamilyTable {
  enum Flavour: CaseIterable {
    case standard, idiomatic
  }

  /// A type of attributes.
  struct Kind {
    let attributeType: String
    let stem: String
    /// The types by Xcode, with “Use Scalar Type” and without; and the one by the model's meaning.
    let scalar: String?
    let object: String
    let idiomatic: String
    /// An expression of a value: of a scalar, an object, and the idiomatic type.
    let values: (scalar: String, object: String, idiomatic: String)
    /// What nil reads as where the type has none; nil where reading stops the program.
    var empty: String?
    var attributes = ""

    func type(_ flavour: Flavour, isScalar: Bool, isOptional: Bool) -> String {
      switch flavour {
      case .standard: isScalar ? scalar ?? "" : "\(object)?"
      case .idiomatic: idiomatic + (isOptional ? "?" : "")
      }
    }

    func value(_ flavour: Flavour, isScalar: Bool) -> String {
      flavour == .idiomatic ? values.idiomatic : isScalar ? values.scalar : values.object
    }
  }

  static let kinds: [Kind] =
    ["16", "32", "64"].map { bits in
      number("Integer \(bits)", "integer\(bits)", "Int\(bits)", "7", empty: "0")
    } + [
      number("Double", "double", "Double", "1.5", empty: "0"),
      number("Float", "float", "Float", "1.5", empty: "0"),
      number("Boolean", "boolean", "Bool", "true", empty: "false"),
      Kind(
        attributeType: "Date", stem: "date", scalar: "TimeInterval", object: "Date",
        idiomatic: "Date",
        values: (
          "5", "Date(timeIntervalSinceReferenceDate: 5)", "Date(timeIntervalSinceReferenceDate: 5)"
        ), empty: "Date(timeIntervalSinceReferenceDate: 0)"),
      Kind(
        attributeType: "Decimal", stem: "decimal", scalar: nil, object: "NSDecimalNumber",
        idiomatic: "Decimal", values: ("", "NSDecimalNumber(string: \"1.5\")", "1.5"), empty: "0"),
      object("String", "string", "String", "\"text\"", empty: "\"\""),
      object("Binary", "binary", "Data", "Data([1, 2])", empty: "Data()"),
      object("UUID", "uuid", "UUID", "UUID(uuidString: \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\")!"),
      object("URI", "uri", "URL", "URL(string: \"https://example.org/a\")!"),
      object("Transformable", "transformable", "NSObject", "NSArray(array: [\"a\"])"),
      object(
        "Transformable", "texts", "[String]", "[\"a\", \"b\"]", empty: "[]",
        attributes: " customClassName=\"[String]\""),
      object(
        "Composite", "composite", "[String: Any]", "[\"part\": \"text\"]", empty: "[:]",
        attributes: " composite=\"Parts\""),
    ]

  private static func number(
    _ attributeType: String, _ stem: String, _ type: String, _ value: String, empty: String
  ) -> Kind {
    Kind(
      attributeType: attributeType, stem: stem, scalar: type, object: "NSNumber", idiomatic: type,
      values: (value, "NSNumber(value: \(value))", value), empty: empty)
  }

  private static func object(
    _ attributeType: String, _ stem: String, _ type: String, _ value: String, empty: String? = nil,
    attributes: String = ""
  ) -> Kind {
    Kind(
      attributeType: attributeType, stem: stem, scalar: nil, object: type, idiomatic: type,
      values: ("", value, value), empty: empty, attributes: attributes)
  }

  /// An attribute of a kind: optional or not, scalar or not.
  struct Attribute {
    let kind: Kind
    let isOptional: Bool
    let isScalar: Bool

    var name: String {
      kind.stem + (isOptional ? "Optional" : "Required")
        + (kind.scalar == nil ? "" : isScalar ? "Scalar" : "Boxed")
    }
  }

  static let attributes: [Attribute] = kinds.flatMap { kind in
    [false, true].flatMap { isOptional in
      (kind.scalar == nil ? [false] : [false, true]).map { isScalar in
        Attribute(kind: kind, isOptional: isOptional, isScalar: isScalar)
      }
    }
  }

  /// The forms of generated code: the model's word, and what the entities of the form are called.
  static let forms =
    [("class", "Whole"), ("category", "Extended"), (nil, "Manual")]
    as [(codeGenerationType: String?, name: String)]

  /// The name of a subentity of a form, under a root of a form.
  static func subentity(_ form: String, of root: String) -> String { "\(form)Of\(root)" }
}
