import Foundation
import KeyValueCoding

extension NSExpression {
  /// A hash of the shape. Leaves out children of aggregates, since a constant array may equal an
  /// aggregate.
  var shapeHash: Int {
    var hasher = Hasher()
    hasher.combine(expressionType == .aggregate ? 0 : Int(expressionType.rawValue))
    switch content {
    case .constant(let value): hasher.combine(TypedValue(value))
    case .variable(let name), .keyPath(let name, _), .function(let name, _): hasher.combine(name)
    case .aggregate(let elements): hasher.combine(elements.count)
    default: break
    }
    for child in content.children where expressionType != .aggregate { hasher.combine(child.hash) }
    return hasher.finalize()
  }

  /// Returns whether the expressions have equal shapes and equal constants. A constant array equals
  /// the aggregate of its elements, since both print alike.
  func hasSameShape(as other: NSExpression) -> Bool {
    hasSameHead(as: other) && hasSameParts(as: other)
  }

  private func hasSameParts(as other: NSExpression) -> Bool {
    if let left = constantElements, let right = other.constantElements {
      return left.count == right.count && zip(left, right).allSatisfy { $0 == $1 }
    }
    let (left, right) = (content.children, other.content.children)
    return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual($1) }
      && content.predicate == other.content.predicate
  }

  private func hasSameHead(as other: NSExpression) -> Bool {
    switch (content, other.content) {
    case (.constant(let left), .constant(let right)):
      (left is NSNull) == (right is NSNull) && TypedValue(left) == TypedValue(right)
    case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey), (.element, .element),
      (.aggregate, .aggregate), (.conditional, .conditional), (.fetch, .fetch),
      (.keyFromVariable, .keyFromVariable):
      true
    case (.aggregate, .constant), (.constant, .aggregate):
      constantElements != nil && other.constantElements != nil
    case (.variable(let left), .variable(let right)),
      (.keyPath(let left, _), .keyPath(let right, _)),
      (.function(let left, _), .function(let right, _)),
      (.message(_, let left, _), .message(_, let right, _)),
      (.subquery(_, let left, _), .subquery(_, let right, _)),
      (.cast(_, let left), .cast(_, let right)):
      left == right
    case (.symbol(let left), .symbol(let right)): left == right
    case (.set(let left, _, _), .set(let right, _, _)): left == right
    default: false
    }
  }

  /// The elements of a constant array or of an aggregate of constants; nil for other expressions.
  private var constantElements: [TypedValue]? {
    switch content {
    case .constant(let value?):
      guard case .collection(let collection) = TypedValue(value), collection.kind != .dictionary
      else { return nil }
      return collection.elements.map { TypedValue($0) }
    case .aggregate(let elements):
      let values = elements.compactMap { element -> TypedValue? in
        if case .constant(let value) = element.content { TypedValue(value) } else { nil }
      }
      return values.count == elements.count ? values : nil
    default: return nil
    }
  }
}
