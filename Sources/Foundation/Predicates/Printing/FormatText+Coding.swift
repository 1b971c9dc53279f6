import Foundation

/// The archived form of predicates and expressions:
///
/// | key | value |
/// |---|---|
/// | `NS.format` | the format, with `%@` for each constant and `%K` for each key path |
/// | `NS.arguments` | an array of constants and key paths, in order; decimals as text |
/// | `NS.decimals` | the indexes of the decimals: Foundation overflows when it archives one |
extension FormatText {
  private static let formatKey = "NS.format"
  private static let argumentsKey = "NS.arguments"
  private static let decimalsKey = "NS.decimals"

  /// The classes of constants. A decoder may allow further classes.
  private static let constants: [AnyClass] = [
    NSArray.self, NSSet.self, NSOrderedSet.self, NSDictionary.self, NSString.self, NSNumber.self,
    NSDecimalNumber.self, NSDate.self, NSData.self, NSUUID.self, NSURL.self, NSNull.self,
  ]

  init(archiving predicate: NSPredicate) {
    self.init(keepsArguments: true)
    DeepStack.run(depth: predicate.nestingDepth) { PredicatePrinter.write(predicate, to: &self) }
    Self.check(
      predicate,
      with: try PredicateParser.parse(format: format, arguments: arguments ?? [], flattens: false))
  }

  init(archiving expression: NSExpression) {
    self.init(keepsArguments: true)
    DeepStack.run(depth: expression.depth) { ExpressionPrinter.write(expression, to: &self) }
    Self.check(
      expression,
      with: try PredicateParser.parse(
        expressionFormat: format, arguments: arguments ?? [], flattens: false))
  }

  /// Traps if the format cannot be parsed again: such a predicate must not be archived.
  private static func check<Part>(_ part: Part, with parse: @autoclosure () throws -> Part) {
    do { _ = try parse() } catch {
      fatalError("\(part) cannot be archived: only what a format can say can. \(error)")
    }
  }

  init?(coder: NSCoder) {
    let allowed = Self.constants + (coder.allowedClasses ?? [])
    guard let format = coder.decodeObject(of: NSString.self, forKey: Self.formatKey),
      var arguments = coder.decodeObject(of: allowed, forKey: Self.argumentsKey) as? [Any],
      let decimals = coder.decodeObject(of: Self.constants, forKey: Self.decimalsKey) as? [Int]
    else { return nil }
    for place in decimals where arguments.indices.contains(place) {
      arguments[place] = NSDecimalNumber(string: arguments[place] as? String)
    }
    self.init(format: format as String, arguments: arguments)
  }

  func encode(with coder: NSCoder) {
    coder.encode(format as NSString, forKey: Self.formatKey)
    var arguments = arguments ?? []
    let decimals = arguments.indices.filter { arguments[$0] is NSDecimalNumber }
    for place in decimals { arguments[place] = "\(arguments[place])" }
    coder.encode(NSArray(array: arguments), forKey: Self.argumentsKey)
    coder.encode(NSArray(array: decimals), forKey: Self.decimalsKey)
  }

  /// Parses the archived predicate. Returns nil and fails the coder if the format is not valid.
  func predicate(failing coder: NSCoder) -> NSPredicate? {
    do {
      return try PredicateParser.parse(format: format, arguments: arguments ?? [], flattens: false)
    } catch {
      coder.failWithError(error)
      return nil
    }
  }

  /// Parses the archived expression. Returns nil and fails the coder if the format is not valid.
  func expression(failing coder: NSCoder) -> NSExpression? {
    do {
      return try PredicateParser.parse(
        expressionFormat: format, arguments: arguments ?? [], flattens: false)
    } catch {
      coder.failWithError(error)
      return nil
    }
  }
}
