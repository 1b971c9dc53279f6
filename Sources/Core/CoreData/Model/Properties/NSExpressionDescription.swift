import Foundation

/// Describes a computed column of a fetch of dictionaries.
///
/// Source: developer.apple.com/documentation/coredata/nsexpressiondescription
///
/// Unchecked Sendable for the reason given at `NSPropertyDescription`.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression that computes the column.
  open var expression: NSExpression? { willSet { checkMutable() } }
  /// The type of the column's values.
  open var expressionResultType: NSAttributeType = .undefinedAttributeType {
    willSet { checkMutable() }
  }

  /// Makes a description without a name and expression.
  public override init() {}

  /// The type of the column's values, equal to `expressionResultType`.
  public final var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }

  package override func makeEmptyCopy() -> NSPropertyDescription {
    NSExpressionDescription()
  }

  package override func copyContents(to copy: NSPropertyDescription) {
    super.copyContents(to: copy)
    guard let copy = copy as? NSExpressionDescription else { return }
    copy.expression = expression
    copy.expressionResultType = expressionResultType
  }

  package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
    guard super.hasSameContents(as: other), let other = other as? NSExpressionDescription else {
      return false
    }
    return expression?.description == other.expression?.description
      && expressionResultType == other.expressionResultType
  }
}
