import CoreData

extension SQLDialect {
  /// 2^53: larger integers are not all representable as doubles.
  private static let exact = 9_007_199_254_740_992.0

  static let postgreSQL = SQLDialect(
    keyColumn: SchemaNames.key, entityColumn: SchemaNames.entity, quoted: SchemaNames.quoted,
    words: Words(
      yes: "TRUE", no: "FALSE", ifMissing: "COALESCE", same: "IS NOT DISTINCT FROM",
      different: "IS DISTINCT FROM", real: "double precision", noLimit: "ALL",
      byBytes: " COLLATE \"C\""),
    parameter: { "$\($0)" },
    constant: { value, kind in
      let text = try SQLDialect.text(value, kind: kind)
      return text ?? SQLFragment(value)
    },
    column: { column, attribute in
      switch attribute.attributeType {
      case .booleanAttributeType: "\(column)::integer"
      // As doubles, which is how SQLite stores and compares them.
      case .decimalAttributeType: "\(column)::double precision"
      default: column
      }
    },
    contains: { "strpos(\($0), \($1)) > 0" },
    beginsWith: { "starts_with(\($0), \(SQLFragment(.text($1))))" },
    isMember: { sql, values, kind in
      if values.count <= 16 {
        let list = try values.map { try SQLDialect.text($0, kind: kind) ?? SQLFragment($0) }
        return "\(sql) IN (\(list.joined(separator: ", ")))"
      }
      return "\(sql) = ANY(\(try SQLDialect.array(values, kind: kind)))"
    },
    sortTerm: { "\($0)\(raw: $1 ? " ASC NULLS FIRST" : " DESC NULLS LAST")" },
    hasOwnFunctions: false)

  /// An SQL literal for a constant whose type needs one; nil for a constant that is sent in binary.
  /// Throws ``NotInDialect`` if memory has to compare the value.
  private static func text(_ value: SQLValue, kind: SQLOperand.Kind) throws -> SQLFragment? {
    switch (value, kind) {
    case (.real(let seconds), .date):
      return written(try timestamp(seconds), type: .timestamp)
    case (.data(let data), .uuid): return written(try uuid(data), type: .uuid)
    case (.text(let text), _) where text.utf8.contains(0): throw NotInDialect()
    case (.real(let number), _) where !(number.magnitude < exact): throw NotInDialect()
    case (.integer(let number), .decimal) where Double(number).magnitude >= exact:
      throw NotInDialect()
    case (.bytes, _): throw NotInDialect()
    default: return nil
    }
  }

  private static func written(_ text: String, type: PostgreSQLType) -> SQLFragment {
    SQLFragment(.written(text, type: type.rawValue))
  }

  private static func timestamp(_ seconds: Double) throws -> String {
    guard !seconds.isNaN, let value = Timestamps.microseconds(seconds) else { throw NotInDialect() }
    return Timestamps.text(value)
  }

  private static func uuid(_ data: Data) throws -> String {
    guard data.count == 16 else { throw NotInDialect() }
    var uuid = UUID().uuid
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: data) }
    return UUID(uuid: uuid).uuidString
  }

  // MARK: - Lists

  /// An array parameter for any number of values, so that the numbers of parameters and of prepared
  /// statements stay bounded.
  private static func array(_ values: [SQLValue], kind: SQLOperand.Kind) throws -> SQLFragment {
    let (elements, type) = try elements(values, kind: kind)
    return written("{\(elements.joined(separator: ","))}", type: type)
  }

  private static func elements(
    _ values: [SQLValue], kind: SQLOperand.Kind
  ) throws -> (elements: [String], type: PostgreSQLType) {
    for value in values { _ = try text(value, kind: kind) }
    switch kind {
    case .number, .decimal, .object, .entity: return try numbers(values)
    case .date:
      return (
        try values.map { value in
          guard case .real(let seconds) = value else { throw NotInDialect() }
          return "\"\(try timestamp(seconds))\""
        }, .timestamps
      )
    case .text, .uri:
      return (
        try values.map { value in
          guard case .text(let text) = value else { throw NotInDialect() }
          let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
          return "\"\(escaped)\""
        }, .texts
      )
    case .uuid:
      return (
        try values.map { value in
          guard case .data(let data) = value else { throw NotInDialect() }
          return try uuid(data)
        }, .uuids
      )
    case .data, .opaque: throw NotInDialect()
    }
  }

  private static func numbers(
    _ values: [SQLValue]
  ) throws -> (elements: [String], type: PostgreSQLType) {
    let integers = values.compactMap { if case .integer(let value) = $0 { value } else { nil } }
    if integers.count == values.count { return (integers.map(String.init), .bigints) }
    return (
      try values.map { value in
        switch value {
        case .real(let value): return "\(value)"
        case .integer(let value) where Double(value).magnitude < exact: return "\(Double(value))"
        default: throw NotInDialect()
        }
      }, .doubles
    )
  }
}
