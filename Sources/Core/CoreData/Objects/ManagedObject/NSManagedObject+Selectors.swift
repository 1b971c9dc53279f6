import KeyValueCoding
import Undo

extension NSManagedObject {
  /// Whether the selector is the name of a getter or setter (`title`, `setTitle:`) of a property of
  /// the entity, or of one that key-value coding finds in the class.
  ///
  /// Other methods have no names on this platform: the answer for them is false. The product
  /// `ObjectiveCSupport`, which ported sources import, knows those that Objective-C would see.
  ///
  /// Source: developer.apple.com/documentation/objectivec/nsobjectprotocol/responds(to:)
  @_disfavoredOverload
  public func responds(to aSelector: Selector) -> Bool {
    let name = aSelector.description
    if hasProperty(name) { return true }
    guard name.hasPrefix("set"), name.hasSuffix(":") else { return false }
    let property = name.dropFirst(3).dropLast()
    return hasProperty(property.prefix(1).lowercased() + property.dropFirst())
      || hasProperty(String(property))
  }

  private func hasProperty(_ name: String) -> Bool {
    layout.place(of: name) != nil || layout.objectClass.getter(name) != nil
  }
}
