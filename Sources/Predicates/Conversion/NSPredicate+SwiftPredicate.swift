import Foundation

extension PredicateFactory where Self: NSPredicate {
  /// The predicate that Foundation's macro `#Predicate` has made, for fetches and everything else that takes
  /// a format's. Nil, with a line in the log that names the part, for what the language of formats does not
  /// have; ``init(converting:)`` throws instead.
  ///
  /// Source: developer.apple.com/documentation/foundation/nspredicate/init(_:)
  public init?<Input>(_ predicate: Predicate<Input>) {
    do { try self.init(converting: predicate) } catch {
      NSLog("%@", "CoreData: \(error)")
      return nil
    }
  }

  /// The same; throws ``PredicateConversionError``, which names what has no counterpart.
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
  /// The expression that Foundation's macro `#Expression` has made. Nil, with a line in the log that names the
  /// part, for what the language of formats does not have; ``init(converting:)`` throws instead.
  ///
  /// Source: developer.apple.com/documentation/foundation/nsexpression/init(_:)
  public convenience init?<Input, Output>(_ expression: Foundation.Expression<Input, Output>) {
    do { try self.init(converting: expression) } catch {
      NSLog("%@", "CoreData: \(error)")
      return nil
    }
  }

  /// The same; throws ``PredicateConversionError``, which names what has no counterpart.
  public convenience init<Input, Output>(
    converting expression: Foundation.Expression<Input, Output>
  ) throws {
    var conversion = PredicateConversion()
    self.init(content: try conversion.expression(expression).content)
  }
}
