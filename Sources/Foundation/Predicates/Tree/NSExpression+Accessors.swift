import Foundation

extension NSExpression {
  /// The kinds of expressions; raw values are Apple's.
  public enum ExpressionType: UInt, Sendable {
    /// A constant.
    case constantValue = 0
    /// `SELF`, the evaluated object.
    case evaluatedObject = 1
    /// `$name`, a variable.
    case variable = 2
    /// A key path.
    case keyPath = 3
    /// A function, an index, a cast or a message.
    case function = 4
    /// The union of two collections.
    case unionSet = 5
    /// The intersection of two collections.
    case intersectSet = 6
    /// The difference of two collections.
    case minusSet = 7
    /// A subquery.
    case subquery = 13
    /// A collection of expressions.
    case aggregate = 14
    /// Any key of a Spotlight item.
    case anyKey = 15
    /// A closure.
    case block = 19
    /// A choice between two expressions by a predicate.
    case conditional = 20
    /// A fetch request (Core Data's `NSFetchRequestExpressionType`).
    case fetchRequest = 50
  }

  /// The kind of the expression. It determines which accessors have a value; the others trap.
  public var expressionType: ExpressionType {
    switch content {
    case .constant, .symbol: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath, .keyFromVariable: .keyPath
    case .function, .message, .element, .cast: .function
    case .set(.union, _, _): .unionSet
    case .set(.intersect, _, _): .intersectSet
    case .set(.minus, _, _): .minusSet
    case .subquery: .subquery
    case .aggregate: .aggregate
    case .anyKey: .anyKey
    case .block: .block
    case .conditional: .conditional
    case .fetch: .fetchRequest
    case .subclass(let type): type
    }
  }

  /// The value of a constant.
  public var constantValue: Any? {
    switch content {
    case .constant(let value): value
    case .symbol(let symbol): symbol.rawValue
    default: missing("constantValue")
    }
  }

  /// The path of a key path expression, without its operand.
  public var keyPath: String {
    switch content {
    case .keyPath(let path, _): path
    case .keyFromVariable(_, let key): key.description
    default: missing("keyPath")
    }
  }

  /// The name of a function, with its colons.
  public var function: String {
    switch content {
    case .function(let name, _), .message(_, let name, _): name
    case .element: "objectFrom:withIndex:"
    case .cast: "castObject:toType:"
    case .keyPath, .keyFromVariable: "valueForKeyPath:"
    default: missing("function")
    }
  }

  /// The name of a variable without the `$`; also the variable of a subquery.
  public var variable: String {
    switch content {
    case .variable(let name), .subquery(_, let name, _): name
    default: missing("variable")
    }
  }

  /// The expression to which a function or a key path applies.
  public var operand: NSExpression {
    switch content {
    case .keyPath(_, let operand): operand ?? NSExpression(content: .evaluatedObject)
    case .keyFromVariable(let operand, _), .message(let operand, _, _): operand
    case .function(let name, _): NSExpression(forConstantValue: name)
    case .element, .cast: NSExpression(forConstantValue: function)
    default: missing("operand")
    }
  }

  /// The arguments of a function or a block.
  public var arguments: [NSExpression]? {
    switch content {
    case .function(_, let arguments), .block(_, let arguments), .message(_, _, let arguments):
      arguments
    case .keyPath(let path, _): [NSExpression(forConstantValue: path)]
    case .element(let collection, let index): [collection, index]
    case .cast(let operand, let type): [operand, NSExpression(forConstantValue: type)]
    default: missing("arguments")
    }
  }

  /// The expressions of an aggregate (`[NSExpression]`), or the collection of a subquery.
  public var collection: Any {
    switch content {
    case .aggregate(let elements): elements
    case .subquery(let collection, _, _): collection
    default: missing("collection")
    }
  }

  /// The predicate of a subquery or a conditional.
  public var predicate: NSPredicate {
    if let predicate = content.predicate { predicate } else { missing("predicate") }
  }

  /// The left side of a set operation.
  public var left: NSExpression {
    if case .set(_, let left, _) = content { left } else { missing("left") }
  }

  /// The right side of a set operation.
  public var right: NSExpression {
    if case .set(_, _, let right) = content { right } else { missing("right") }
  }

  /// The value of a conditional if its predicate holds.
  public var `true`: NSExpression {
    if case .conditional(_, let result, _) = content { result } else { missing("true") }
  }

  /// The value of a conditional if its predicate does not hold.
  public var `false`: NSExpression {
    if case .conditional(_, _, let result) = content { result } else { missing("false") }
  }

  /// The closure of a block expression.
  public var expressionBlock: (Any?, [NSExpression], NSMutableDictionary?) -> Any {
    if case .block(let body, _) = content { body } else { missing("expressionBlock") }
  }

  private func missing(_ accessor: String) -> Never {
    fatalError(
      "NSExpression: \(accessor) is not defined for the expression \(self)")
  }
}
