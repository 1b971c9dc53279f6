import Foundation
import KeyValueCoding

extension PredicateCompiler {
  func compute(_ expression: NSExpression) -> Compute {
    switch expression.content {
    case .constant(let value):
      let constant = TypedValue(value)
      return { _ in constant }
    case .evaluatedObject: return { TypedValue($0.object) }
    case .variable(let name): return { TypedValue(try Self.binding(name, evaluation: $0)) }
    case .keyPath(let path, let operand): return keyPath(path, of: operand)
    case .keyFromVariable(let operand, let key): return keyFromVariable(operand, key: key)
    case .function(let name, let arguments): return function(name, arguments: arguments)
    case .message(let receiver, let selector, let arguments):
      return message(receiver, selector: selector, arguments: arguments)
    case .element(let collection, let index): return element(collection, index: index)
    case .symbol(let symbol): return failing("\(symbol.rawValue) has a value only as an index")
    case .set(let operation, let left, let right): return set(operation, left: left, right: right)
    case .subquery(let collection, let variable, let predicate):
      return subquery(collection, variable: variable, predicate: predicate)
    case .aggregate(let elements): return aggregate(elements)
    case .anyKey: return failing("ANYKEY has no value: it is for Spotlight's queries")
    case .block(let body, let arguments):
      return { evaluation in
        TypedValue(body(evaluation.object, arguments, evaluation.context))
      }
    case .conditional(let predicate, let first, let second):
      return conditional(predicate, first: first, second: second)
    case .cast(let operand, let type):
      let value = compute(operand)
      let nilRule = nilRule
      return { try ExpressionFunction.cast(try value($0), to: type, nilRule: nilRule) }
    case .fetch(let request, let context, let countOnly):
      return fetch(request, in: context, countOnly: countOnly)
    case .subclass:
      return { TypedValue(expression.expressionValue(with: $0.object, context: $0.context)) }
    }
  }

  private func failing(_ reason: String) -> Compute {
    { _ in throw PredicateEvaluationError(reason) }
  }

  private static func binding(_ name: String, evaluation: Evaluation) throws -> Any? {
    guard let value = evaluation.bindings?[name] else {
      throw PredicateEvaluationError("Can't get value for '\(name)' in bindings.")
    }
    return value
  }

  private func keyPath(_ path: String, of operand: NSExpression?) -> Compute {
    let valuePath: ValuePath
    do { valuePath = try ValuePath(path) } catch { return { _ in throw error } }
    if let operand, operand.expressionType != .evaluatedObject {
      let owner = compute(operand)
      return { try valuePath.typedValue(of: try owner($0).any) }
    }
    guard let read = reader(path) else { return { try valuePath.typedValue(of: $0.object) } }
    return { evaluation in
      guard let reference = evaluation.reference else {
        return try valuePath.typedValue(of: evaluation.object)
      }
      return reference._withUnsafeGuaranteedRef(read)
    }
  }

  private func keyFromVariable(_ operand: NSExpression, key: NSExpression) -> Compute {
    let (owner, path) = (compute(operand), compute(key))
    return { evaluation in
      guard case .string(let path) = try path(evaluation) else {
        throw PredicateEvaluationError("The variable \(key) must hold a key path.")
      }
      return try ValuePath(path).typedValue(of: try owner(evaluation).any)
    }
  }

  private func aggregate(_ elements: [NSExpression]) -> Compute {
    let values = elements.map(compute)
    return { evaluation in
      let array = try values.map { try $0(evaluation).any ?? NSNull() }
      return .collection(ElementCollection(array: array))
    }
  }

  private func conditional(
    _ predicate: NSPredicate, first: NSExpression, second: NSExpression
  ) -> Compute {
    let (test, first, second) = (test(of: predicate), compute(first), compute(second))
    return { try test($0) == .true ? try first($0) : try second($0) }
  }

  private func subquery(
    _ collection: NSExpression, variable: String, predicate: NSPredicate
  ) -> Compute {
    let (elements, test) = (compute(collection), test(of: predicate))
    return { evaluation in
      var inner = evaluation
      let all = try elements(evaluation)
      let found = try Self.collection(all, user: "SUBQUERY").filter { element in
        inner.bindings = evaluation.bindings ?? [:]
        inner.bindings?[variable] = element
        return try test(inner) == .true
      }
      // A subquery of a set is a set, so that the values of its members are treated like those of
      // the relationship.
      guard case .collection(let collection) = all, [.set, .orderedSet].contains(collection.kind)
      else { return .collection(ElementCollection(array: found)) }
      return .collection(ElementCollection(distinct: found, kind: collection.kind))
    }
  }

  /// The elements of a value that must be a collection; empty for nil.
  static func collection(_ value: TypedValue, user: String) throws -> [Any] {
    switch value {
    case .null: return []
    case .collection(let collection): return collection.elements
    default: throw PredicateEvaluationError("\(user) needs a collection, not \(value.kindName).")
    }
  }

  private func set(
    _ operation: SetOperation, left: NSExpression, right: NSExpression
  ) -> Compute {
    let (left, right) = (compute(left), compute(right))
    return { evaluation in
      let first = try Self.collection(try left(evaluation), user: operation.rawValue)
      let second = try Self.collection(try right(evaluation), user: operation.rawValue)
      return .collection(
        ElementCollection(distinct: operation.combine(first, second), kind: .set))
    }
  }

  private func function(_ name: String, arguments: [NSExpression]) -> Compute {
    guard let function = PredicateFunction.named(name, argumentCount: arguments.count) else {
      return failing("There is no function \(name).")
    }
    let nilRule = nilRule
    if let all = fetching?.values(of: function.name, arguments) {
      return { _ in
        try function.value([.collection(ElementCollection(array: try all()))], nilRule: nilRule)
      }
    }
    let values = arguments.map(compute)
    if fetching != nil, arguments.count == 1, PredicateFunction.isAggregate(function.name),
      arguments[0].mentionsVariable
    {
      return {
        try function.value(
          [try Self.several(try values[0]($0), function: function.name)], nilRule: nilRule)
      }
    }
    return { evaluation in
      try function.value(try values.map { try $0(evaluation) }, nilRule: nilRule)
    }
  }
}

extension PredicateCompiler {
  /// The values for an aggregate of a variable in a fetch. Throws for a single value of one member,
  /// which an aggregate cannot combine.
  private static func several(_ value: TypedValue, function: String) throws -> TypedValue {
    switch value {
    case .collection, .null: return value
    default:
      throw PredicateEvaluationError(
        "\(function) in a fetch needs the values of several objects, not \(value.kindName) of one.")
    }
  }
}

extension NSExpression {
  /// Whether the expression contains a variable.
  package var mentionsVariable: Bool {
    if case .variable = content { return true }
    return content.children.contains(where: \.mentionsVariable)
  }
}

extension SetOperation {
  fileprivate func combine(_ first: [Any], _ second: [Any]) -> [Any] {
    let members = Set(second.map { TypedValue($0) })
    switch self {
    case .union: return first + second
    case .intersect: return first.filter { members.contains(TypedValue($0)) }
    case .minus: return first.filter { !members.contains(TypedValue($0)) }
    }
  }
}

extension Evaluation {
  /// The bindings in the form that a block receives.
  var context: NSMutableDictionary? { bindings.map { NSMutableDictionary(dictionary: $0) } }
}
