import Foundation
import KeyValueCoding

/// An object that handles the messages of `FUNCTION(receiver, "selector:", …)`. Without the
/// Objective-C runtime, other objects cannot be called by selector.
package protocol PredicateMessageReceiver: AnyObject {
  /// The result of a message. Throws if the object does not have the selector.
  func answer(selector: String, arguments: [Any?]) throws -> Any?
}

/// Evaluates `FETCH(request, context, countOnly)`: a managed object context, or the fetch that
/// evaluates the predicate.
package protocol PredicateFetching: AnyObject {
  /// The objects that a fetch request finds, or their number.
  func fetch(request: Any?, countOnly: Bool) throws -> Any?

  /// The values for an aggregate function whose argument has one value per object: the values of
  /// all objects of the fetch. Nil for a function with other arguments.
  func values(of function: String, _ arguments: [NSExpression]) -> (() throws -> [Any])?
}

extension PredicateFetching {
  package func values(
    of function: String, _ arguments: [NSExpression]
  ) -> (() throws -> [Any])? { nil }
}

extension PredicateCompiler {
  func element(_ collection: NSExpression, index: NSExpression) -> Compute {
    let values = compute(collection)
    if case .symbol(let symbol) = index.content {
      return { try Self.element(of: try values($0), at: symbol) }
    }
    let index = compute(index)
    return { try Self.element(of: try values($0), at: try index($0)) }
  }

  private static func element(of value: TypedValue, at symbol: IndexSymbol) throws -> TypedValue {
    let elements = try collection(value, user: "[\(symbol.rawValue)]")
    switch symbol {
    case .first: return TypedValue(elements.first)
    case .last: return TypedValue(elements.last)
    case .size: return value.isNull ? .null : .integer(Int64(elements.count))
    }
  }

  /// The element at an index or for a key. Nil if the index is out of bounds or the key is missing.
  private static func element(of value: TypedValue, at index: TypedValue) throws -> TypedValue {
    if case .collection(let collection) = value, collection.kind == .dictionary {
      guard let key = index.any as? AnyHashable else { return .null }
      return TypedValue(collection.value(forKey: key))
    }
    let elements = try collection(value, user: "An index")
    guard let position = index.number?.integerValue else {
      throw PredicateEvaluationError("An index must be a number, not \(index.kindName).")
    }
    return elements.indices.contains(Int(position)) ? TypedValue(elements[Int(position)]) : .null
  }

  /// Sends a message. A selector without arguments is read as a key; others need a receiver that
  /// handles messages.
  func message(
    _ receiver: NSExpression, selector: String, arguments: [NSExpression]
  ) -> Compute {
    let (receiver, arguments) = (compute(receiver), arguments.map(compute))
    return { evaluation in
      let target = try receiver(evaluation).any
      let values = try arguments.map { try $0(evaluation).any }
      return TypedValue(try Message.send(selector, to: target, arguments: values))
    }
  }

  func fetch(
    _ request: NSExpression, in context: NSExpression, countOnly: NSExpression
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
