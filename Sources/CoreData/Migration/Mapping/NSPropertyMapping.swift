import Foundation

/// Says where a property of a destination object gets its value from.
///
/// Source: developer.apple.com/documentation/coredata/nspropertymapping
open class NSPropertyMapping: NSObject {
  /// The property of the destination entity.
  open var name: String?
  /// Evaluated with the variables of a migration (`$source`, `$manager`, …); nil leaves the property at its
  /// default.
  open var valueExpression: NSExpression?
  /// Anything that the application wants to attach.
  open var userInfo: [AnyHashable: Any]?

  public override init() {}

  /// Mappings are equal when they say the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyMapping else { return false }
    return self === other
      || (name == other.name && valueExpression == other.valueExpression
        && ModelValue.areEqual(userInfo, other.userInfo))
  }

  open override var hash: Int { name.hashValue }
}
