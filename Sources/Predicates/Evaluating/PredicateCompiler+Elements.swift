import Foundation
import KeyValueCoding

/// An object that answers the messages of `FUNCTION(receiver, "selector:", …)`. Without Objective-C
/// no object answers a selector by itself.
package protocol PredicateMessageReceiver: AnyObject {
  /// Answers a message; throws for a selector that it does not know.
  func answer(selector: String, arguments: [Any?]) throws -> Any?
}

/// What answers `FETCH(request, context, countOnly)`: a managed object context, or whoever evaluates the
/// predicate for a fetch.
package protocol PredicateFetching: AnyObject {
  /// The objects that a fetch request finds, or their number.
  func fetch(request: Any?, countOnly: Bool) throws -> Any?

  /// What an aggregate function is computed of where its argument is one value of each object: the values
  /// of all objects of the fetch. Nil for a function of anything else.
  func values(of function: String, _ arguments: [NSExpression]) -> (() throws -> [Any])?
}

extension PredicateFetching {
  package func values(
    of function: String, _ arguments: [NSExpression]
  ) -> (() throws -> [Any])? { nil }
}

extension PredicateCompiler {
  func element(_ collection: NSExpression, _ index: NSExpression) -> Compute {
    let values = compute(collection)
    if case .symbol(let symbol) = index.content {
      return { try Self.element(of: try values($0), at: symbol) }
    }
    let index = compute(index)
    return { try Self.element(of: try values($0), at: try index($0)) }
  }

  private static func element(of value: TypedValue, at symbol: IndexSymbol) throws -> TypedValue {
    let elements = try collection(value, "[\(symbol.rawValue)]")
    switch symbol {
    case .first: return TypedValue(elements.first)
    case .last: return TypedValue(elements.last)
    case .size: return value.isNull ? .null : .integer(Int64(elements.count))
    }
  }

  /// Nil outside of the bounds, as for a dictionary's missing key.
  private static func element(of value: TypedValue, at index: TypedValue) throws -> TypedValue {
    if case .collection(let collection) = value, collection.kind == .dictionary {
      guard let key = index.any as? AnyHashable else { return .null }
      return TypedValue(collection.value(forKey: key))
    }
    let elements = try collection(value, "An index")
    guard let position = index.number?.integerValue else {
      throw PredicateEvaluationError("An index must be a number, not \(index.kindName).")
    }
    return elements.indices.contains(Int(position)) ? TypedValue(elements[Int(position)]) : .null
  }

  /// A selector without arguments is read as a key; others are for receivers that answer messages.
  func message(
    _ receiver: NSExpression, _ selector: String, _ arguments: [NSExpression]
  ) -> Compute {
    let (receiver, arguments) = (compute(receiver), arguments.map(compute))
    return { evaluation in
      let target = try receiver(evaluation).any
      let values = try arguments.map { try $0(evaluation).any }
      return TypedValue(try Self.send(selector, to: target, values))
    }
  }

  private static func send(_ selector: String, to target: Any?, _ arguments: [Any?]) throws -> Any?
  {
    guard let target else { return nil }
    if let receiver = target as? any PredicateMessageReceiver {
      return try receiver.answer(selector: selector, arguments: arguments)
    }
    switch (selector, arguments.first ?? nil) {
    case ("valueForKey:", let key as String): return try KeyedValue.value(of: target, forKey: key)
    case ("valueForKeyPath:", let path as String): return try ValuePath(path).value(of: target)
    case (_, nil) where arguments.isEmpty && !selector.contains(":"):
      return try KeyedValue.value(of: target, forKey: selector)
    default:
      if let method = method(selector, of: target), method.method.parameterCount == arguments.count
      {
        return try method.method.call(method.object, arguments)
      }
      throw PredicateEvaluationError(
        "FUNCTION: \(TypedValue(target).kindName) does not answer the selector \(selector).")
    }
  }

  /// A method that ported sources have, of the object that a value is on Apple's systems.
  private static func method(
    _ selector: String, of target: Any
  ) -> (object: AnyObject, method: NamedMethod)? {
    guard NamedMembers.areKnown else { return nil }
    let object = (target as? String).map { $0 as NSString } ?? target as AnyObject
    return NamedMembers.method(selector, of: type(of: object)).map { (object, $0) }
  }

  func fetch(
    _ request: NSExpression, _ context: NSExpression, _ countOnly: NSExpression
  ) -> Compute {
    let (request, context, countOnly) = (compute(request), compute(context), compute(countOnly))
    let known = fetching
    return { evaluation in
      let fetching = try known ?? Self.fetching(try context(evaluation))
      let onlyCount = try countOnly(evaluation) == .integer(1)
      return TypedValue(
        try fetching.fetch(request: try request(evaluation).any, countOnly: onlyCount))
    }
  }

  private static func fetching(_ context: TypedValue) throws -> any PredicateFetching {
    guard case .object(let object) = context, let fetching = object as? any PredicateFetching else {
      throw PredicateEvaluationError(
        "FETCH needs a managed object context, not \(context.kindName).")
    }
    return fetching
  }
}
