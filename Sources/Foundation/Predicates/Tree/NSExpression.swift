import Foundation
import KeyValueCoding

/// A part of a predicate that has a value: a constant, a key path, a function of other expressions.
/// Immutable. Follows Apple's `NSExpression`.
open class NSExpression: NSObject, NSCopying, NSSecureCoding {
  /// The kind and parts of the expression, from which all accessors read.
  package private(set) var content: ExpressionContent
  /// The length of the longest path of nested expressions.
  package let depth: Int

  package init(content: ExpressionContent) {
    self.content = content
    depth = DeepStack.checked(1 + content.depthBelow)
  }

  /// A deep tree is released on a stack that is large enough for the recursion.
  deinit {
    if depth > DeepStack.ordinaryDepth { DeepStack.run(depth: depth) { dropContent() } }
  }

  /// Releases the parts after the access to `content` has ended. Accesses that stay open during the
  /// recursion would each be checked against all others.
  private func dropContent() {
    let parts = content
    content = .anyKey
    _ = consume parts
  }

  /// Reads an archived expression. Returns nil, with the error in the coder, if the archive has no
  /// valid one.
  public required convenience init?(coder: NSCoder) {
    guard let read = FormatText(coder: coder)?.expression(failing: coder) else { return nil }
    self.init(content: read.content)
  }

  /// True: expressions support secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the expression as a format with its arguments. Traps for a block, which has no format.
  open func encode(with coder: NSCoder) { FormatText(archiving: self).encode(with: coder) }

  /// Makes an expression of a subclass that overrides ``expressionValue(with:context:)``.
  public init(expressionType type: ExpressionType) {
    content = .subclass(type)
    depth = 1
  }

  /// A constant: nil, a number, string, date or object, or a collection of them.
  public convenience init(forConstantValue value: Any?) {
    self.init(content: .constant(bridgedConstant(value)))
  }

  /// `$string`, a variable that is substituted or looked up at evaluation.
  public convenience init(forVariable string: String) {
    self.init(content: .variable(string))
  }

  /// The value of a key path of the evaluated object.
  public convenience init(forKeyPath keyPath: String) {
    self.init(content: .keyPath(keyPath, of: nil))
  }

  /// The value of a Swift key path. Traps if its name cannot be determined.
  public convenience init<Root, Value>(forKeyPath keyPath: Swift.KeyPath<Root, Value>) {
    guard let name = KeyPathName.name(of: keyPath) else {
      fatalError(
        "NSExpression(forKeyPath:): \(keyPath) has no name that key-value coding could use")
    }
    self.init(forKeyPath: name)
  }

  /// A built-in function by its name with colons (`sum:`, `add:to:`). Traps for an unknown name.
  public convenience init(forFunction name: String, arguments: [Any]) {
    let expressions = arguments.map(expression)
    guard let function = PredicateFunction.named(name, argumentCount: expressions.count) else {
      fatalError("NSExpression(forFunction: \"\(name)\"): there is no such function")
    }
    self.init(content: function.content(expressions))
  }

  /// A message to the value of another expression.
  public convenience init(
    forFunction target: NSExpression, selectorName name: String, arguments: [Any]?
  ) {
    self.init(
      content: .message(to: target, selector: name, (arguments ?? []).map(expression)))
  }

  /// A collection of the values of expressions. Elements that are not expressions become constants.
  public convenience init(forAggregate subexpressions: [Any]) {
    self.init(content: .aggregate(subexpressions.map(expression)))
  }

  /// The union of two collections.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(content: .set(.union, left, right))
  }

  /// The intersection of two collections.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(content: .set(.intersect, left, right))
  }

  /// The difference of two collections: elements of the left that are not in the right.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(content: .set(.minus, left, right))
  }

  /// The elements of a collection for which a predicate over `$variable` holds.
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String,
    predicate: NSPredicate
  ) {
    self.init(content: .subquery(of: expression, variable: variable, predicate))
  }

  /// The value of one of two expressions, selected by a predicate.
  public convenience init(
    forConditional predicate: NSPredicate, trueExpression: NSExpression,
    falseExpression: NSExpression
  ) {
    self.init(content: .conditional(predicate, trueExpression, falseExpression))
  }

  /// The value of a closure that receives the evaluated object, the arguments and the bindings.
  public convenience init(
    block: @escaping (Any?, [NSExpression], NSMutableDictionary?) -> Any,
    arguments: [NSExpression]?
  ) {
    self.init(content: .block(block, arguments ?? []))
  }

  /// The evaluated object itself, `SELF`.
  open class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(content: .evaluatedObject)
  }

  /// Any key of a Spotlight item. Evaluating it traps.
  open class func expressionForAnyKey() -> NSExpression {
    NSExpression(content: .anyKey)
  }

  /// The expression itself, since it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func copy() -> Any { self }

  /// The value for an object; `context` has the values of variables. Traps where Apple's raises an
  /// exception: for a key that does not exist, a missing variable, arithmetic with values that are
  /// not numbers.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    if case .subclass(let type) = content {
      fatalError(
        "\(Swift.type(of: self)) of type \(type) does not override expressionValue(with:context:)")
    }
    return trapping { try value(with: object, variables: context as? [String: Any]) }
  }

  open override var description: String { ExpressionPrinter.text(of: self) }

  open override var hash: Int { DeepStack.run(depth: depth) { shapeHash } }

  /// Returns whether the expressions have equal shapes and equal constants.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression else { return false }
    return other === self || DeepStack.run(depth: depth) { hasSameShape(as: other) }
  }

  /// Does nothing: decoded expressions are not restricted on this platform.
  open func allowEvaluation() {}
}

/// A constant in the form of Apple's bridge: numbers as `NSNumber`, an optional's value, and
/// `NSNull` for an empty optional inside an `Any`.
func bridgedConstant(_ value: Any?) -> Any? {
  guard let value else { return nil }
  if let object = classInstance(value) {
    return (object as? NSString).map { $0 as String } ?? value
  }
  // The types of most arguments come first: casts take time even if they fail.
  let type = type(of: value)
  if type == String.self || type == Date.self { return value }
  if type == Int.self, let number = value as? Int { return NSNumber(value: number) }
  switch value {
  case let string as String: return string
  case let decimal as Decimal: return NSDecimalNumber(decimal: decimal)
  case _ where ElementCollection.isCollection(value): return value
  case let number as NSNumber: return number
  default: return TypedValue.isNull(value) ? NSNull() : value
  }
}

private func expression(_ value: Any) -> NSExpression {
  value as? NSExpression ?? NSExpression(forConstantValue: value)
}
