import CoreData

/// A derived attribute: its column, and the SQL of its values.
struct DerivedColumn {
  enum Source {
    /// The number or the sum of the members of a to-many relationship.
    case members(DerivedMembers)
    /// A value at the end of to-one relationships, with the function that is applied to it in
    /// memory, if any.
    case value(DerivedValue, function: String?)
    /// The time of the last save.
    case now
  }

  let attribute: NSDerivedAttributeDescription
  /// The entity that declares the attribute; its table has the column.
  let owner: EntityMapping
  let name: String
  let type: ColumnType
  let source: Source

  var table: String { SchemaNames.quoted(owner.table) }
  var column: String { SchemaNames.quoted(name) }
  static let key = SchemaNames.quoted(SchemaNames.key)

  /// Throws 134060 (`NSCoreDataError`) for an expression that cannot be derived.
  init(
    _ attribute: NSDerivedAttributeDescription, of owner: EntityMapping, named name: String,
    mapping: SQLMapping, types: @escaping (EntityLayout) -> [ColumnType?]
  ) throws {
    self.attribute = attribute
    self.owner = owner
    self.name = name
    type = try ColumnType(attribute)
    let finder = ColumnFinder(mapping: mapping, types: types)
    switch try Derivation(attribute, of: attribute.entity) {
    case .now:
      source = .now
      try Self.check(
        type == .timestamp, attribute: attribute, what: "is a time; the attribute is none")
    case .count(let relationship):
      source = .members(
        try DerivedMembers(relationship, summing: nil, finder: finder, derived: attribute))
      try Self.check(
        type.isNumber, attribute: attribute, what: "is a number; the attribute is none")
    case .sum(let relationship, let summed):
      source = .members(
        try DerivedMembers(relationship, summing: summed, finder: finder, derived: attribute))
      try Self.check(
        type.isNumber, attribute: attribute, what: "is a number; the attribute is none")
    case .value(let path, let end, let function):
      let value = try DerivedValue(path, end: end, finder: finder, attribute: attribute)
      source = .value(value, function: function)
      let isSame = value.type == type || value.type.isNumber && type.isNumber
      try Self.check(
        isSame && (function == nil || type == .text), attribute: attribute,
        what: "is a value of another type than the attribute")
    }
  }

  /// The value, cast to the column's type.
  func cast(_ value: String, from other: ColumnType) -> String {
    if other == type { return value }
    let number = other == .boolean ? "CAST(\(value) AS integer)" : value
    if type == .boolean { return "(\(number) <> 0)" }
    return "CAST(\(number) AS \(type.declaration))"
  }

  /// ` AND …`, a condition for the rows that have the attribute; empty if all rows of the table
  /// have it.
  var kindCondition: String {
    if owner.entityNumber == owner.rootEntityNumber { return "" }
    let numbers = owner.kindNumbers.map(String.init).joined(separator: ", ")
    return " AND \(SchemaNames.quoted(SchemaNames.entity)) IN (\(numbers))"
  }

  static func check(
    _ condition: Bool, attribute: NSDerivedAttributeDescription, what: String
  ) throws {
    if condition { return }
    throw CoreDataError.make(
      .coreData,
      reason: "The derivation expression of “\(attribute.name)” of the entity "
        + "“\(attribute.entity.name ?? "")” \(what).")
  }

  /// Index to find the rows whose value must be computed: in all other rows, an aggregate is not
  /// null. nil if the source is not an aggregate.
  var index: String? {
    guard case .members = source else { return nil }
    return "CREATE INDEX ON \(table) (\(Self.key)) WHERE \(column) IS NULL\(kindCondition)"
  }
}

/// Finds the columns of properties.
struct ColumnFinder {
  let mapping: SQLMapping
  let types: (EntityLayout) -> [ColumnType?]

  func column(
    of property: NSPropertyDescription, _ attribute: NSDerivedAttributeDescription
  ) throws -> (table: String, column: String, type: ColumnType) {
    let layout = property.entity.layout
    guard let entity = mapping[layout], let slot = layout.slot(of: property.name),
      let column = entity.columns[slot], let type = types(layout)[slot]
    else { throw elsewhere(attribute) }
    return (SchemaNames.quoted(entity.table), SchemaNames.quoted(column.name), type)
  }

  func elsewhere(_ attribute: NSDerivedAttributeDescription) -> NSError {
    CoreDataError.unsupported(
      "The derived attribute “\(attribute.name)” of the entity "
        + "“\(attribute.entity.name ?? "")”, which is made of what another store has,")
  }
}

extension ColumnType {
  var isNumber: Bool {
    switch self {
    case .integer, .boolean, .real, .decimal: true
    default: false
    }
  }
}
