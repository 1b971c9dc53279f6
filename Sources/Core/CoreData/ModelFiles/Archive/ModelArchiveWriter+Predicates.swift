import Foundation

extension ModelArchiveWriter {
  /// The classes of operators in Apple's archives.
  private static let operatorClasses: [NSComparisonPredicate.Operator: String] = [
    .lessThan: "NSComparisonPredicateOperator", .lessThanOrEqualTo: "NSComparisonPredicateOperator",
    .greaterThan: "NSComparisonPredicateOperator",
    .greaterThanOrEqualTo: "NSComparisonPredicateOperator",
    .equalTo: "NSEqualityPredicateOperator", .notEqualTo: "NSEqualityPredicateOperator",
    .in: "NSInPredicateOperator", .contains: "NSInPredicateOperator",
    .matches: "NSMatchingPredicateOperator", .like: "NSLikePredicateOperator",
    .beginsWith: "NSSubstringPredicateOperator", .endsWith: "NSSubstringPredicateOperator",
    .between: "NSBetweenPredicateOperator", .customSelector: "NSCustomPredicateOperator",
  ]

  func write(_ predicate: NSPredicate) throws -> ArchiveBuilder.Reference {
    switch predicate {
    case let comparison as NSComparisonPredicate: return try write(comparison)
    case let compound as Foundation.NSCompoundPredicate:
      let parts = try compound.subpredicates.map { try write($0) }
      return builder.add(
        class: ArchiveClass.predicate("NSCompoundPredicate"),
        [
          "NSCompoundPredicateType": Int(compound.compoundPredicateType.rawValue),
          "NSSubpredicates": builder.list(parts, class: ArchiveClass.array),
        ])
    default: return try writeConstant(predicate)
    }
  }

  /// Writes one of the two constant predicates. Foundation keeps the contents of its own predicates
  /// private; these two are recognised by their format.
  private func writeConstant(_ predicate: NSPredicate) throws -> ArchiveBuilder.Reference {
    switch predicate.modelText {
    case "TRUEPREDICATE":
      return builder.add(class: ArchiveClass.predicate("NSTruePredicate"), [:])
    case "FALSEPREDICATE":
      return builder.add(class: ArchiveClass.predicate("NSFalsePredicate"), [:])
    default: throw unknown(predicate)
    }
  }

  private func write(_ comparison: NSComparisonPredicate) throws -> ArchiveBuilder.Reference {
    builder.add(
      class: ArchiveClass.predicate("NSComparisonPredicate"),
      [
        "NSLeftExpression": try write(comparison.leftExpression),
        "NSRightExpression": try write(comparison.rightExpression),
        "NSPredicateOperator": writeOperator(of: comparison),
      ])
  }

  private func writeOperator(of comparison: NSComparisonPredicate) -> ArchiveBuilder.Reference {
    let type = comparison.predicateOperatorType
    let name = Self.operatorClasses[type] ?? "NSPredicateOperator"
    let raw = Int(type.rawValue)
    let options = Int(comparison.options.rawValue)
    var fields: [String: Any] = [
      "NSOperatorType": raw, "NSModifier": Int(comparison.comparisonPredicateModifier.rawValue),
    ]
    switch name {
    case "NSComparisonPredicateOperator":
      fields["NSVariant"] = raw
      fields["NSOptions"] = options
    case "NSEqualityPredicateOperator":
      fields["NSNegate"] = type == .notEqualTo
      fields["NSOptions"] = options
    case "NSSubstringPredicateOperator":
      fields["NSPosition"] = type == .beginsWith ? 1 : 2
      fields["NSFlags"] = options
    case "NSCustomPredicateOperator":
      fields["NSSelectorName"] = builder.string(comparison.customSelectorName)
    default: fields["NSFlags"] = options
    }
    return builder.add(class: ArchiveClass.comparison(name), fields)
  }

  func write(_ expression: NSExpression) throws -> ArchiveBuilder.Reference {
    func add(_ name: String, _ fields: [String: Any]) -> ArchiveBuilder.Reference {
      var fields = fields
      fields["NSExpressionType"] = Int(expression.expressionType.rawValue)
      return builder.add(class: ArchiveClass.expression(name), fields)
    }
    switch expression.content {
    case .evaluatedObject: return add("NSSelfExpression", [:])
    case .constant(let value):
      let constant = try value.map { try self.value($0) } ?? .null
      return add("NSConstantValueExpression", ["NSConstantValue": constant])
    case .variable(let name):
      return add("NSVariableExpression", ["NSVariable": builder.string(name)])
    case .keyPath(let path, let operand): return try writeKeyPath(path, of: operand)
    case .aggregate(let elements):
      return add("NSAggregateExpression", ["NSCollection": try list(elements)])
    case .set(_, let left, let right):
      return add(
        "NSSetExpression",
        ["NSLeftExpression": try write(left), "NSRightExpression": try write(right)])
    case .subquery(let collection, let variable, let predicate):
      return add(
        "NSSubqueryExpression",
        [
          "NSCollection": try write(collection), "NSVariable": builder.string(variable),
          "NSPredicate": try write(predicate),
        ])
    case .fetch(let request, let context, let countOnly):
      return add(
        "NSFetchRequestExpression",
        [
          "NSFRExpression": try write(request), "NSMOCExpression": try write(context),
          "NSCountOnlyFlag": countOnly.constantFlag,
        ])
    case .conditional(let predicate, let first, let second):
      return add(
        "NSTernaryExpression",
        [
          "NSPredicate": try write(predicate), "NSTrueExpression": try write(first),
          "NSFalseExpression": try write(second),
        ])
    default: return try writeFunction(expression)
    }
  }

  private func list(_ expressions: [NSExpression]) throws -> ArchiveBuilder.Reference {
    builder.list(try expressions.map { try write($0) }, class: ArchiveClass.array)
  }

  /// Writes a key path, which is archived as the message that reads it.
  private func writeKeyPath(
    _ path: String, of operand: NSExpression?
  ) throws -> ArchiveBuilder.Reference {
    let specifier = builder.add(
      class: ArchiveClass.expression("NSKeyPathSpecifierExpression"),
      ["NSExpressionType": 10, "NSKeyPath": builder.string(path)])
    let isPath = operand != nil || path.contains(".")
    let receiver = try write(operand ?? NSExpression(content: .evaluatedObject))
    return builder.add(
      class: ArchiveClass.expression("NSKeyPathExpression"),
      [
        "NSExpressionType": operand == nil ? 3 : 4, "NSOperand": receiver,
        "NSSelectorName": builder.string(isPath ? "valueForKeyPath:" : "valueForKey:"),
        "NSArguments": builder.list([specifier], class: ArchiveClass.mutableArray),
      ])
  }

  private func writeFunction(_ expression: NSExpression) throws -> ArchiveBuilder.Reference {
    switch expression.content {
    case .function(let name, let arguments):
      return try writeCall(name, arguments: arguments, of: nil)
    case .message(let receiver, let selector, let arguments):
      return try writeCall(selector, arguments: arguments, of: receiver)
    case .cast(let operand, let type):
      let name = NSExpression(forConstantValue: type)
      return try writeCall("castObject:toType:", arguments: [operand, name], of: nil)
    case .element(let collection, let index):
      return try writeCall("objectFrom:withIndex:", arguments: [collection, index], of: nil)
    default: throw unknown(expression)
    }
  }

  private func writeCall(
    _ selector: String, arguments: [NSExpression], of receiver: NSExpression?
  ) throws -> ArchiveBuilder.Reference {
    let functions = receiver == nil ? builder.string("_NSPredicateUtilities") : nil
    let operand =
      try receiver.map { try write($0) }
      ?? builder.add(
        class: ArchiveClass.expression("NSConstantValueExpression"),
        ["NSExpressionType": 0, "NSConstantValueClassName": functions ?? .null])
    return builder.add(
      class: ArchiveClass.expression("NSFunctionExpression"),
      [
        "NSExpressionType": 4, "NSOperand": operand, "NSSelectorName": builder.string(selector),
        "NSArguments": try list(arguments),
      ])
  }

  private func unknown(_ part: Any) -> ModelFileError {
    ModelFileError(
      file: "model archive", problem: "“\(part)” (\(type(of: part))) cannot be archived")
  }
}

extension NSExpression {
  fileprivate var constantFlag: Bool {
    guard case .constant(let value) = content else { return false }
    return (value as? NSNumber)?.boolValue ?? false
  }
}
