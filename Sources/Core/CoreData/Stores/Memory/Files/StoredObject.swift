/// An object in the file of an atomic store, independent of model and file format.
struct StoredObject {
  var entity: String
  /// The key, unique among all objects of the store.
  var key: Int64
  var version: Int64 = 1
  /// The values by attribute name; attributes that are nil are missing.
  var attributes: [(name: String, value: StoredValue)] = []
  /// The members' keys by relationship name; relationships without members may be missing.
  var relationships: [(name: String, keys: [Int64])] = []
}

/// A value of an attribute in a file.
///
///     Integer 16, 32, 64, Boolean   integer
///     Double, Float, Date           real       (dates: seconds since 2001-01-01 UTC)
///     String, Decimal, UUID, URI    text
///     Binary, Transformable         data       (transformed)
enum StoredValue: Equatable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case data(Data)
}

/// Converts the values of one attribute to those in the file, and back.
struct AttributeCodec {
  let attribute: NSAttributeDescription
  private let transformer: TransformableCodec?

  init(_ attribute: NSAttributeDescription) {
    self.attribute = attribute
    transformer =
      attribute.attributeType == .transformableAttributeType
      ? TransformableCodec(attribute) : nil
  }

  /// The value in the file; nil for null. Throws for a value that cannot be written.
  func stored(_ value: Value) throws -> StoredValue? {
    switch value {
    case .null: nil
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    case .data(let value): .data(value)
    case .identity: throw unwritable("an object ID")
    case .object(let object): try stored(object)
    }
  }

  private func stored(_ object: AnyObject) throws -> StoredValue {
    switch object {
    case let undecoded as UndecodedValue: return .data(undecoded.data)
    case let number as NSDecimalNumber where transformer == nil: return .text("\(number)")
    case let uuid as NSUUID where transformer == nil: return .text(uuid.uuidString)
    case let url as NSURL where transformer == nil: return .text(url.absoluteString)
    default:
      guard let data = transformer?.encode(object) else {
        throw unwritable("a \(type(of: object))")
      }
      return .data(data)
    }
  }

  private func unwritable(_ what: String) -> NSError {
    CoreDataError.make(
      .coreData,
      reason: "The value of “\(attribute.name)” could not be made into data: its transformer "
        + "(\(transformer?.name ?? "none")) does not take \(what).")
  }

  /// The attribute's value; nil if the attribute cannot have that value in a file.
  func value(_ stored: StoredValue) -> Value? {
    switch (attribute.attributeType, stored) {
    case (.integer16AttributeType, .integer(let value)),
      (.integer32AttributeType, .integer(let value)),
      (.integer64AttributeType, .integer(let value)):
      .integer(value)
    case (.booleanAttributeType, .integer(let value)): .integer(value == 0 ? 0 : 1)
    case (.doubleAttributeType, .real(let value)), (.floatAttributeType, .real(let value)),
      (.dateAttributeType, .real(let value)):
      .real(value)
    case (.stringAttributeType, .text(let value)): .text(value)
    case (.binaryDataAttributeType, .data(let value)): .data(value)
    case (.decimalAttributeType, .text(let text)): decimal(text)
    case (.UUIDAttributeType, .text(let text)):
      UUID(uuidString: text).map { .object($0 as NSUUID) }
    case (.URIAttributeType, .text(let text)):
      URL(string: text).map { .object($0 as NSURL) }
    case (.transformableAttributeType, .data(let data)):
      transformer.map { .object($0.decode(data)) }
    default: nil
    }
  }

  private func decimal(_ text: String) -> Value? {
    guard text == "NaN" || Decimal(string: text) != nil else { return nil }
    return .object(NSDecimalNumber(string: text))
  }
}
