import CoreData

/// One object with all its values, members of relationships included.
package struct ObjectReport: Sendable {
  package let object: String
  /// The texts of values; nil without a value. Members of to-many relationships are separated by
  /// commas.
  package let values: [String: String?]
  private let typed: [String: Value]

  package init(_ object: NSManagedObject) {
    self.object = CellText.name(of: object.objectID)
    var values: [String: String?] = [:]
    var typed: [String: Value] = [:]
    for property in object.entity.properties where !(property is NSFetchedPropertyDescription) {
      let text = Self.text(object, property: property)
      values[property.name] = .some(text)
      typed[property.name] = Value(object, property: property, text: text)
    }
    self.values = values
    self.typed = typed
  }

  /// The report of an object by its name, `Entity/p7`.
  package static func of(_ name: String, in store: OpenedStore) throws -> ObjectReport {
    try store.withContext { ObjectReport(try store.object(name, in: $0)) }
  }

  static func text(_ object: NSManagedObject, property: NSPropertyDescription) -> String? {
    guard let relationship = property as? NSRelationshipDescription else {
      return object.value(forKey: property.name).map { CellText.text(of: $0, property) }
    }
    guard relationship.isToMany else {
      return (object.value(forKey: property.name) as? NSManagedObject).map(ObjectLabel.name)
    }
    if relationship.isOrdered {
      return object.mutableOrderedSetValue(forKey: property.name).array
        .compactMap { ($0 as? NSManagedObject).map(ObjectLabel.name) }.joined(separator: ",")
    }
    return object.mutableSetValue(forKey: property.name).allObjects
      .compactMap { ($0 as? NSManagedObject).map(ObjectLabel.name) }
      .sorted { $0.localizedStandardCompare($1) == .orderedAscending }.joined(separator: ",")
  }

  package func text(_ terminal: Terminal = .standardOutput) -> String {
    let width = values.keys.map(\.count).max() ?? 0
    let lines = values.sorted { $0.key < $1.key }.map { key, value in
      let shown = value.map { CellText.visible($0) } ?? terminal.styled("nil", style: .faint)
      return "  \(key.padding(toLength: width, withPad: " ", startingAt: 0))  \(shown)"
    }
    return ([terminal.styled(object, style: .bold)] + lines).joined(separator: "\n")
  }
}

/// As JSON the values have types, as those of a query have.
extension ObjectReport: Encodable {
  fileprivate enum Value: Encodable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case float(Float)
    case decimal(Decimal)
    case text(String)
    case members([String])

    init(_ object: NSManagedObject, property: NSPropertyDescription, text: String?) {
      if let relationship = property as? NSRelationshipDescription, relationship.isToMany {
        self = .members(text?.split(separator: ",").map(String.init) ?? [])
        return
      }
      guard let text else {
        self = .null
        return
      }
      let type = (property as? NSAttributeDescription)?.attributeType
      guard let type, let number = object.value(forKey: property.name) as? NSNumber else {
        self = .text(text)
        return
      }
      self = Self.number(number, type: type)
    }

    private static func number(_ number: NSNumber, type: NSAttributeType) -> Value {
      switch type {
      case .booleanAttributeType: .boolean(number.boolValue)
      // JSON has no NaN and no infinity.
      case .doubleAttributeType, .floatAttributeType, .decimalAttributeType:
        !number.doubleValue.isFinite
          ? .null
          : type == .decimalAttributeType
            ? .decimal(number.decimalValue)
            : type == .floatAttributeType ? .float(number.floatValue) : .double(number.doubleValue)
      default: .integer(number.int64Value)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .boolean(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .float(let value): try container.encode(value)
      case .decimal(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .members(let value): try container.encode(value)
      }
    }
  }

  private enum CodingKeys: CodingKey { case object, values }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(object, forKey: .object)
    try container.encode(typed, forKey: .values)
  }
}
