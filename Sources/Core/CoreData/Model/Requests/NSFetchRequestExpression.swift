import Predicates

/// A fetch as a part of a predicate: `FETCH(request, context, countOnly)`.
///
/// Source: developer.apple.com/documentation/coredata/nsfetchrequestexpression
open class NSFetchRequestExpression: NSExpression {
  package override init(content: ExpressionContent) { super.init(content: content) }

  public required convenience init?(coder: NSCoder) {
    guard let read = NSExpression(coder: coder) else { return nil }
    self.init(content: read.content)
  }

  /// Makes an expression whose value is the results of a fetch, or their number.
  ///
  /// - Parameters:
  ///   - fetch: An expression that evaluates to a fetch request.
  ///   - context: An expression that evaluates to a managed object context.
  ///   - countFlag: true for the number of results.
  open class func expression(
    forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
  ) -> NSExpression {
    let countOnly = NSExpression(forConstantValue: countFlag)
    return NSFetchRequestExpression(
      content: .fetch(request: fetch, context: context, countOnly: countOnly))
  }

  /// The expression of the fetch request.
  open var requestExpression: NSExpression { parts.request }

  /// The expression of the context.
  open var contextExpression: NSExpression { parts.context }

  /// Whether the value is the number of results.
  open var isCountOnlyRequest: Bool { parts.countOnly.constantValue as? Bool ?? false }

  private var parts: (request: NSExpression, context: NSExpression, countOnly: NSExpression) {
    guard case .fetch(let request, let context, let countOnly) = content else {
      fatalError("An NSFetchRequestExpression is made by expression(forFetch:context:countOnly:)")
    }
    return (request, context, countOnly)
  }
}

/// The type of an ``NSFetchRequestExpression``.
public var NSFetchRequestExpressionType: NSExpression.ExpressionType { .fetchRequest }
