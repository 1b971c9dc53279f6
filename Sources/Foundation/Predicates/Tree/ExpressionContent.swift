import Foundation

/// The kind and parts of an expression, as data for the printer, the compiler and Core Data's SQL
/// generator.
package indirect enum ExpressionContent {
  /// A constant; numbers are `NSNumber`.
  case constant(Any?)
  /// `SELF`
  case evaluatedObject
  /// `$name`
  case variable(String)
  /// A dotted path of keys and collection operators; of the evaluated object if `of` is nil.
  case keyPath(String, of: NSExpression?)
  /// `$object.$key`: the value of a variable is the key.
  case keyFromVariable(of: NSExpression, key: NSExpression)
  /// A built-in function, including arithmetic, by its name with colons: `add:to:`.
  case function(String, [NSExpression])
  /// `FUNCTION(receiver, "selector:", …)`
  case message(to: NSExpression, selector: String, [NSExpression])
  /// `collection[index]`
  case element(of: NSExpression, at: NSExpression)
  /// `FIRST`, `LAST` or `SIZE`, which are only allowed as an index.
  case symbol(IndexSymbol)
  /// `left UNION right`, `left INTERSECT right`, `left MINUS right`
  case set(SetOperation, NSExpression, NSExpression)
  /// `SUBQUERY(collection, $variable, predicate)`
  case subquery(of: NSExpression, variable: String, NSPredicate)
  /// `{a, b}`
  case aggregate([NSExpression])
  /// Any key of a Spotlight item.
  case anyKey
  /// A Swift closure.
  case block((Any?, [NSExpression], NSMutableDictionary?) -> Any, [NSExpression])
  /// `TERNARY(predicate, true, false)`
  case conditional(NSPredicate, NSExpression, NSExpression)
  /// `CAST(expression, "Type")`
  case cast(NSExpression, type: String)
  /// `FETCH(request, context, countOnly)`
  case fetch(request: NSExpression, context: NSExpression, countOnly: NSExpression)
  /// An expression of a client's subclass, which evaluates itself.
  case subclass(NSExpression.ExpressionType)
}

/// A word that can replace the number of an index.
package enum IndexSymbol: String, CaseIterable, Sendable {
  case first = "FIRST"
  case last = "LAST"
  case size = "SIZE"
}

/// The set operations; the raw value is the word in a format.
package enum SetOperation: String, CaseIterable, Sendable {
  case union = "UNION"
  case intersect = "INTERSECT"
  case minus = "MINUS"
}

extension ExpressionContent {
  /// The direct child expressions, in the order of the format.
  package var children: [NSExpression] {
    switch self {
    case .constant, .evaluatedObject, .variable, .symbol, .anyKey, .subclass: []
    case .keyPath(_, let operand): operand.map { [$0] } ?? []
    case .keyFromVariable(let operand, let key): [operand, key]
    case .function(_, let arguments), .aggregate(let arguments), .block(_, let arguments): arguments
    case .message(let receiver, _, let arguments): [receiver] + arguments
    case .element(let collection, let index): [collection, index]
    case .set(_, let left, let right), .conditional(_, let left, let right): [left, right]
    case .subquery(let collection, _, _): [collection]
    case .cast(let operand, _): [operand]
    case .fetch(let request, let context, let countOnly): [request, context, countOnly]
    }
  }

  /// The depth of the deepest part; 0 for an expression without parts.
  var depthBelow: Int {
    switch self {
    case .constant, .evaluatedObject, .variable, .symbol, .anyKey, .subclass: 0
    case .keyPath(_, let operand): operand?.depth ?? 0
    default: max(children.map(\.depth).max() ?? 0, predicate?.nestingDepth ?? 0)
    }
  }

  /// The predicate of a subquery or a conditional; nil for other expressions.
  package var predicate: NSPredicate? {
    switch self {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate
    default: nil
    }
  }

  /// A copy with other children, in the order of ``children``, and another predicate.
  func replacing(children: [NSExpression], predicate: NSPredicate?) -> ExpressionContent {
    switch self {
    case .constant, .evaluatedObject, .variable, .symbol, .anyKey, .subclass: self
    case .keyPath(let path, _): .keyPath(path, of: children.first)
    case .keyFromVariable: .keyFromVariable(of: children[0], key: children[1])
    case .function(let name, _): .function(name, children)
    case .aggregate: .aggregate(children)
    case .block(let body, _): .block(body, children)
    case .message(_, let name, _):
      .message(to: children[0], selector: name, Array(children.dropFirst()))
    case .element: .element(of: children[0], at: children[1])
    case .set(let operation, _, _): .set(operation, children[0], children[1])
    case .conditional(let old, _, _): .conditional(predicate ?? old, children[0], children[1])
    case .subquery(_, let variable, let old):
      .subquery(of: children[0], variable: variable, predicate ?? old)
    case .cast(_, let type): .cast(children[0], type: type)
    case .fetch: .fetch(request: children[0], context: children[1], countOnly: children[2])
    }
  }
}
