/// Lists of values on the right side of IN.
enum SQLList {
  /// The maximum length of a list with a parameter for each value; a longer one is a single
  /// parameter. This bounds the number of parameters and of different statements.
  private static let limit = 64

  /// `sql IN (…)` for at least one value, all of one kind.
  ///
  /// - Parameter elements: the query for the elements of a parameter that holds a list as JSON.
  static func isMember(
    _ sql: SQLFragment, values: [SQLValue],
    elements: (_ parameter: SQLFragment, _ form: SQLDialect.ListForm) -> SQLFragment
  ) -> SQLFragment {
    if values.count > limit, let (list, form) = json(values) {
      return "\(sql) IN (\(elements(SQLFragment(.text(list)), form)))"
    }
    return "\(sql) IN (\(values.map { SQLFragment($0) }.joined(separator: ", ")))"
  }

  /// The values as JSON. Numbers that are not all integers are written as doubles; nil for values
  /// of several kinds.
  private static func json(_ values: [SQLValue]) -> (String, SQLDialect.ListForm)? {
    let integers = values.compactMap { if case .integer(let value) = $0 { value } else { nil } }
    if integers.count == values.count { return (array(integers.map(String.init)), .plain) }
    let texts = values.compactMap { if case .text(let value) = $0 { value } else { nil } }
    if texts.count == values.count { return (array(texts.map(quoted)), .plain) }
    let data = values.compactMap { if case .data(let value) = $0 { value } else { nil } }
    if data.count == values.count {
      return (array(data.map { "\"\($0.base64EncodedString())\"" }), .data)
    }
    let reals = values.compactMap(real)
    guard reals.count == values.count else { return nil }
    return (array(reals.map { String(Int64(bitPattern: $0.bitPattern)) }), .reals)
  }

  /// The number as a double; nil for an integer that a double cannot represent.
  private static func real(_ value: SQLValue) -> Double? {
    switch value {
    case .real(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  private static func array(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ","))]"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20: result += String(format: "\\u%04x", scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
