import Foundation

/// Describes the value of a property of a destination object.
///
/// Source: developer.apple.com/documentation/coredata/nspropertymapping
open class NSPropertyMapping: NSObject {
  /// The name of the property of the destination entity.
  open var name: String?
  /// The expression for the value, evaluated with the variables of a migration (`$source`,
  /// `$manager`, …). Nil leaves the default of the property.
  open var valueExpression: NSExpression?
  /// Custom data of the application.
  open var userInfo: [AnyHashable: Any]?

  /// Makes a mapping without a name and expression.
  public override init() {}

  /// Returns whether all contents of the mappings are equal.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyMapping else { return false }
    return self === other
      || (name == other.name && valueExpression == other.valueExpression
        && ModelValue.areEqual(userInfo, other.userInfo))
  }

  open override var hash: Int { name.hashValue }
}
