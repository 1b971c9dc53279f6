/// Lists of values on the right of IN.
enum SQLList {
  /// From here on a list goes as one parameter, so that neither their number nor the number of texts of
  /// statements grows without bound.
  private static let limit = 64

  /// `sql IN (…)` for values of one kind, of which there is at least one. `elements` is a query for those of a
  /// parameter that holds a list as JSON text.
  static func isMember(
    _ sql: SQLFragment, _ values: [SQLValue],
    elements: (_ parameter: SQLFragment, _ form: SQLDialect.ListForm) -> SQLFragment
  ) -> SQLFragment {
    if values.count > limit, let (list, form) = json(values) {
      return "\(sql) IN (\(elements(SQLFragment(.text(list)), form)))"
    }
    return "\(sql) IN (\(values.map { SQLFragment($0) }.joined(separator: ", ")))"
  }

  /// Numbers that are not all integers are all written as doubles; nil for values of several kinds.
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

  /// Nil for an integer that no double is.
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
