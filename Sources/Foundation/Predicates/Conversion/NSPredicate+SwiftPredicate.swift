import Foundation

extension PredicateFactory where Self: NSPredicate {
  /// Converts a predicate of Foundation's macro `#Predicate`, for use in fetches and elsewhere.
  /// Returns nil and logs the unsupported part if it has no counterpart in the predicate language;
  /// ``init(converting:)`` throws instead.
  ///
  /// Source: developer.apple.com/documentation/foundation/nspredicate/init(_:)
  public init?<Input>(_ predicate: Predicate<Input>) {
    do { try self.init(converting: predicate) } catch {
      NSLog("%@", "CoreData: \(error)")
      return nil
    }
  }

  /// Converts a predicate of Foundation's macro `#Predicate`. Throws ``PredicateConversionError``,
  /// which names the unsupported part, if it has no counterpart in the predicate language.
  public init<Input>(converting predicate: Predicate<Input>) throws {
    var conversion = PredicateConversion()
    let converted = try conversion.predicate(predicate)
    guard let result = converted as? Self else {
      fatalError("\(Self.self)(_:): the predicate is a \(type(of: converted))")
    }
    self = result
  }
}

extension NSExpression {
  /// Converts an expression of Foundation's macro `#Expression`. Returns nil and logs the
  /// unsupported part if it has no counterpart in the predicate language; ``init(converting:)``
  /// throws instead.
  ///
  /// Source: developer.apple.com/documentation/foundation/nsexpression/init(_:)
  public convenience init?<Input, Output>(_ expression: Foundation.Expression<Input, Output>) {
    do { try self.init(converting: expression) } catch {
      NSLog("%@", "CoreData: \(error)")
      return nil
    }
  }

  /// Converts an expression of Foundation's macro `#Expression`. Throws
  /// ``PredicateConversionError``, which names the unsupported part, if it has no counterpart in
  /// the predicate language.
  public convenience init<Input, Output>(
    converting expression: Foundation.Expression<Input, Output>
  ) throws {
    var conversion = PredicateConversion()
    self.init(content: try conversion.expression(expression).content)
  }
}
