import Foundation

extension ModelArchiveReader {
  /// Reads a predicate from its record.
  func predicate(_ record: ArchiveRecord, depth: Int = 0) throws -> NSPredicate {
    guard depth < KeyedArchive.deepest else {
      throw archive.error("predicates are nested too deep")
    }
    switch record.className {
    case "NSComparisonPredicate": return try comparison(record, depth: depth)
    case "NSCompoundPredicate": return try compound(record, depth: depth)
    case "NSTruePredicate": return NSPredicate(value: true)
    case "NSFalsePredicate": return NSPredicate(value: false)
    default: throw archive.error("“\(record.className)” is not a kind of predicate that is known")
    }
  }

  private func compound(_ record: ArchiveRecord, depth: Int) throws -> NSPredicate {
    let raw = try record.integer("NSCompoundPredicateType") ?? -1
    guard
      let type = UInt(exactly: raw).flatMap(CompoundPredicate.LogicalType.init(rawValue:))
    else { throw record.wrong("NSCompoundPredicateType", expected: "0 to 2") }
    let parts = try record.elements("NSSubpredicates").map { identifier in
      guard let part = try archive.record(at: identifier) else {
        throw record.wrong("NSSubpredicates", expected: "predicates")
      }
      return try predicate(part, depth: depth + 1)
    }
    return CompoundPredicate(type: type, subpredicates: parts)
  }

  private func comparison(_ record: ArchiveRecord, depth: Int) throws -> NSPredicate {
    guard let operation = try record.record("NSPredicateOperator") else {
      throw record.wrong("NSPredicateOperator", expected: "an operator")
    }
    let left = try part("NSLeftExpression", of: record, depth: depth)
    let right = try part("NSRightExpression", of: record, depth: depth)
    let type = try operatorType(of: operation)
    if type == .customSelector {
      return NSComparisonPredicate(
        leftExpression: left, rightExpression: right,
        customSelectorName: try operation.requiredText("NSSelectorName"))
    }
    return NSComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: try modifier(of: operation),
      type: type, options: try options(of: operation))
  }

  private func operatorType(
    of record: ArchiveRecord
  ) throws -> NSComparisonPredicate.Operator {
    let raw = try record.integer("NSOperatorType") ?? -1
    guard let type = UInt(exactly: raw).flatMap(NSComparisonPredicate.Operator.init(rawValue:))
    else { throw record.wrong("NSOperatorType", expected: "a known operator (found \(raw))") }
    return type
  }

  private func modifier(of record: ArchiveRecord) throws -> NSComparisonPredicate.Modifier {
    let raw = try record.integer("NSModifier") ?? 0
    guard let modifier = UInt(exactly: raw).flatMap(NSComparisonPredicate.Modifier.init(rawValue:))
    else { throw record.wrong("NSModifier", expected: "0 to 2") }
    return modifier
  }

  /// The options. String operators archive them as flags, other operators as options; the bits are
  /// equal.
  private func options(of record: ArchiveRecord) throws -> NSComparisonPredicate.Options {
    let raw = try record.integer("NSOptions") ?? record.integer("NSFlags") ?? 0
    return NSComparisonPredicate.Options(rawValue: UInt(clamping: raw & 15))
  }

  private func part(
    _ key: String, of record: ArchiveRecord, depth: Int
  ) throws -> NSExpression {
    guard let part = try record.record(key) else {
      throw record.wrong(key, expected: "an expression")
    }
    return try expression(part, depth: depth + 1)
  }

  /// Reads an expression from its record.
  func expression(_ record: ArchiveRecord, depth: Int = 0) throws -> NSExpression {
    guard depth < KeyedArchive.deepest else {
      throw archive.error("expressions are nested too deep")
    }
    return NSExpression(content: try content(of: record, depth: depth))
  }

  private func content(of record: ArchiveRecord, depth: Int) throws -> ExpressionContent {
    func part(_ key: String) throws -> NSExpression {
      try self.part(key, of: record, depth: depth)
    }
    switch record.className {
    case "NSSelfExpression": return .evaluatedObject
    case "NSConstantValueExpression": return .constant(try constant(record))
    case "NSVariableExpression": return .variable(try record.requiredText("NSVariable"))
    case "NSKeyPathExpression": return try keyPath(record, depth: depth)
    case "NSFunctionExpression": return try function(record, depth: depth)
    case "NSAggregateExpression":
      return .aggregate(try arguments("NSCollection", of: record, depth: depth))
    case "NSUnionSetExpression", "NSIntersectSetExpression", "NSMinusSetExpression",
      "NSSetExpression":
      return .set(
        try setOperation(record), try part("NSLeftExpression"), try part("NSRightExpression"))
    case "NSSubqueryExpression":
      return .subquery(
        of: try part("NSCollection"), variable: try record.requiredText("NSVariable"),
        try innerPredicate(record, depth: depth))
    case "NSFetchRequestExpression":
      let countOnly = NSExpression(forConstantValue: try record.flag("NSCountOnlyFlag"))
      return .fetch(
        request: try part("NSFRExpression"), context: try part("NSMOCExpression"),
        countOnly: countOnly)
    case "NSTernaryExpression":
      return .conditional(
        try innerPredicate(record, depth: depth), try part("NSTrueExpression"),
        try part("NSFalseExpression"))
    default: throw archive.error("“\(record.className)” is not a kind of expression that is known")
    }
  }

  private func innerPredicate(_ record: ArchiveRecord, depth: Int) throws -> NSPredicate {
    guard let inner = try record.record("NSPredicate") else {
      throw record.wrong("NSPredicate", expected: "a predicate")
    }
    return try predicate(inner, depth: depth + 1)
  }

  private func constant(_ record: ArchiveRecord) throws -> Any? {
    guard let value = record.fields["NSConstantValue"] else { return nil }
    guard let identifier = KeyedArchive.identifier(value) else { return value }
    return try archive.value(at: identifier)
  }

  private func keyPath(_ record: ArchiveRecord, depth: Int) throws -> ExpressionContent {
    guard let specifier = try record.elements("NSArguments").first,
      let path = try archive.record(at: specifier)?.requiredText("NSKeyPath")
    else { throw record.wrong("NSArguments", expected: "a key path") }
    let operand = try part("NSOperand", of: record, depth: depth)
    if case .evaluatedObject = operand.content { return .keyPath(path, of: nil) }
    return .keyPath(path, of: operand)
  }

  private func function(_ record: ArchiveRecord, depth: Int) throws -> ExpressionContent {
    let name = try record.requiredText("NSSelectorName")
    let arguments = try arguments("NSArguments", of: record, depth: depth)
    guard let operand = try record.record("NSOperand") else {
      throw record.wrong("NSOperand", expected: "an expression")
    }
    // Built-in functions are archived as messages to this class.
    if try operand.text("NSConstantValueClassName") == "_NSPredicateUtilities" {
      return builtIn(name, arguments: arguments)
    }
    return .message(to: try expression(operand, depth: depth + 1), selector: name, arguments)
  }

  private func builtIn(_ name: String, arguments: [NSExpression]) -> ExpressionContent {
    guard arguments.count == 2 else { return .function(name, arguments) }
    switch (name, arguments[1].content) {
    case ("castObject:toType:", .constant(let type as String)):
      return .cast(arguments[0], type: type)
    case ("objectFrom:withIndex:", _): return .element(of: arguments[0], at: arguments[1])
    default: return .function(name, arguments)
    }
  }

  private func arguments(
    _ key: String, of record: ArchiveRecord, depth: Int
  ) throws -> [NSExpression] {
    try record.elements(key).map { identifier in
      guard let argument = try archive.record(at: identifier) else {
        throw record.wrong(key, expected: "expressions")
      }
      return try expression(argument, depth: depth + 1)
    }
  }

  private func setOperation(_ record: ArchiveRecord) throws -> SetOperation {
    switch try record.integer("NSExpressionType") {
    case 5: return .union
    case 6: return .intersect
    case 7: return .minus
    default: throw record.wrong("NSExpressionType", expected: "5 to 7")
    }
  }
}
