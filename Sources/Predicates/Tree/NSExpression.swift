import Foundation
import KeyValueCoding

/// A part of a predicate that has a value: a constant, a key path, a function of other expressions.
/// Immutable. Follows Apple's `NSExpression`.
open class NSExpression: NSObject, NSCopying, NSSecureCoding {
  /// What the expression is; every accessor reads from here.
  package private(set) var content: ExpressionContent
  /// How many expressions are nested on the longest way down.
  package let depth: Int

  package init(content: ExpressionContent) {
    self.content = content
    depth = DeepStack.checked(1 + content.depthBelow)
  }

  /// A deep tree goes down to its leaves when it is released.
  deinit {
    if depth > DeepStack.ordinaryDepth { DeepStack.run(depth: depth) { dropContent() } }
  }

  /// The parts go when nothing of this object is being accessed any more: accesses that stay open
  /// all the way down would each be checked against all the others.
  private func dropContent() {
    let parts = content
    content = .anyKey
    _ = consume parts
  }

  /// Reads an expression that was archived; nil for what is none.
  public required convenience init?(coder: NSCoder) {
    guard let read = FormatText(coder: coder)?.expression(failing: coder) else { return nil }
    self.init(content: read.content)
  }

  open class var supportsSecureCoding: Bool { true }

  /// Writes the expression as a format with its arguments. Traps for a block, which has no format.
  open func encode(with coder: NSCoder) { FormatText(archiving: self).encode(with: coder) }

  /// For subclasses that evaluate themselves by overriding ``expressionValue(with:context:)``.
  public init(expressionType type: ExpressionType) {
    content = .subclass(type)
    depth = 1
  }

  /// A constant; nil, numbers, strings, dates, objects and collections of them.
  public convenience init(forConstantValue value: Any?) {
    self.init(content: .constant(bridgedConstant(value)))
  }

  /// `$string`, replaced by substitution or looked up when evaluated.
  public convenience init(forVariable string: String) {
    self.init(content: .variable(string))
  }

  /// The value of a key path of the evaluated object.
  public convenience init(forKeyPath keyPath: String) {
    self.init(content: .keyPath(keyPath, of: nil))
  }

  /// The value of a Swift key path; traps when its name cannot be found out.
  public convenience init<Root, Value>(forKeyPath keyPath: Swift.KeyPath<Root, Value>) {
    guard let name = KeyPathName.name(of: keyPath) else {
      fatalError(
        "NSExpression(forKeyPath:): \(keyPath) has no name that key-value coding could use")
    }
    self.init(forKeyPath: name)
  }

  /// A built-in function by its name with colons (`sum:`, `add:to:`); traps for an unknown name.
  public convenience init(forFunction name: String, arguments: [Any]) {
    let expressions = arguments.map(expression)
    guard let function = PredicateFunction.named(name, argumentCount: expressions.count) else {
      fatalError("NSExpression(forFunction: \"\(name)\"): there is no such function")
    }
    self.init(content: function.content(expressions))
  }

  /// A message to another expression's value.
  public convenience init(
    forFunction target: NSExpression, selectorName name: String, arguments: [Any]?
  ) {
    self.init(
      content: .message(to: target, selector: name, (arguments ?? []).map(expression)))
  }

  /// A collection of the values of expressions; what is no expression is a constant.
  public convenience init(forAggregate subexpressions: [Any]) {
    self.init(content: .aggregate(subexpressions.map(expression)))
  }

  /// The elements of either collection.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(content: .set(.union, left, right))
  }

  /// The elements of both collections.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(content: .set(.intersect, left, right))
  }

  /// The elements of the left collection that are not in the right one.
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

  /// One of two expressions, as a predicate decides.
  public convenience init(
    forConditional predicate: NSPredicate, trueExpression: NSExpression,
    falseExpression: NSExpression
  ) {
    self.init(content: .conditional(predicate, trueExpression, falseExpression))
  }

  /// The value of a closure that gets the evaluated object, the arguments and the bindings.
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

  /// Any key of a Spotlight item; cannot be evaluated.
  open class func expressionForAnyKey() -> NSExpression {
    NSExpression(content: .anyKey)
  }

  /// An expression is immutable: its copy is itself.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func copy() -> Any { self }

  /// The value for an object; `context` holds the values of variables. Traps where Apple's raises:
  /// for a key that does not exist, a missing variable, arithmetic on what is no number.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    if case .subclass(let type) = content {
      fatalError(
        "\(Swift.type(of: self)) of type \(type) does not override expressionValue(with:context:)")
    }
    return trapping { try value(with: object, variables: context as? [String: Any]) }
  }

  open override var description: String { ExpressionPrinter.text(of: self) }

  open override var hash: Int { DeepStack.run(depth: depth) { shapeHash } }

  /// Expressions are equal when they have the same shape and equal constants.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSExpression else { return false }
    return other === self || DeepStack.run(depth: depth) { hasSameShape(as: other) }
  }

  /// Has no effect: nothing here restricts the evaluation of decoded expressions.
  open func allowEvaluation() {}
}

/// A constant as Apple's bridge would hand it over: numbers as `NSNumber`, an optional's value, and the
/// null object for an optional without one inside of an `Any`.
func bridgedConstant(_ value: Any?) -> Any? {
  guard let value else { return nil }
  if let object = classInstance(value) {
    return (object as? NSString).map { $0 as String } ?? value
  }
  // The types of most arguments, before the casts, which take time to find out that they do not apply.
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
