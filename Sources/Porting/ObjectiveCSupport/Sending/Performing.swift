import Foundation
import KeyValueCoding
import Undo

extension NSObjectProtocol {
  /// Returns whether the object's class has a method or accessor with this selector that
  /// Objective-C would see.
  public func responds(to aSelector: Selector!) -> Bool {
    NamedMembers.method(aSelector.description, of: type(of: self)) != nil
      || Accessor(aSelector, of: type(of: self)) != nil
  }

  /// Calls the method with this selector; returns its result if that is an object. Traps if there
  /// is no such method.
  ///
  /// The result is unretained. The thread keeps it alive until the next such call.
  @discardableResult public func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
    Sending.send(aSelector, to: self, [])
  }

  /// Calls the method with this selector and one argument; see `perform(_:)`.
  @discardableResult public func perform(
    _ aSelector: Selector!, with object: Any!
  ) -> Unmanaged<AnyObject>! {
    Sending.send(aSelector, to: self, [object])
  }

  /// Calls the method with this selector and two arguments; see `perform(_:)`.
  @discardableResult public func perform(
    _ aSelector: Selector!, with object1: Any!, with object2: Any!
  ) -> Unmanaged<AnyObject>! {
    Sending.send(aSelector, to: self, [object1, object2])
  }
}

extension NSObject {
  /// Returns whether instances have a method or accessor with this selector that Objective-C would
  /// see.
  public class func instancesRespond(to aSelector: Selector!) -> Bool {
    NamedMembers.method(aSelector.description, of: self) != nil
      || Accessor(aSelector, of: self) != nil
  }
}

/// A getter or setter, found by its selector.
struct Accessor {
  let property: NamedProperty
  let isSetter: Bool

  init?(_ selector: Selector, of type: AnyClass) {
    let name = selector.description
    if let property = NamedMembers.property(name, of: type) {
      (self.property, isSetter) = (property, false)
    } else if name.hasPrefix("set"), name.hasSuffix(":"),
      let property = Self.property(ofSetter: name, type), property.set != nil
    {
      (self.property, isSetter) = (property, true)
    } else {
      return nil
    }
  }

  private static func property(ofSetter name: String, _ type: AnyClass) -> NamedProperty? {
    let key = String(name.dropFirst(3).dropLast())
    return NamedMembers.property(key.prefix(1).lowercased() + key.dropFirst(), of: type)
      ?? NamedMembers.property(key, of: type)
  }
}

enum Sending {
  /// Calls a method by selector.
  static func call(_ selector: Selector, of object: AnyObject, _ arguments: [Any?]) -> Any? {
    let type: AnyClass = Swift.type(of: object)
    if let method = NamedMembers.method(selector.description, of: type) {
      // An error that the method throws is discarded, as on Apple's systems, where callers pass no
      // error pointer.
      return (try? method.call(object, arguments)) ?? nil
    }
    if let accessor = Accessor(selector, of: type) {
      guard accessor.isSetter else { return accessor.property.get(object) }
      _ = accessor.property.set?(object, arguments.first ?? nil)
      return nil
    }
    if FrameworkMethods.call(selector.description, of: object, arguments) { return nil }
    fatalError(
      "-[\(type) \(selector)]: unrecognized selector sent to instance; methods of ported sources that are marked "
        + "@objc can be called by name")
  }

  /// Calls a method by selector. The result is unretained; the thread keeps it alive until the next
  /// such call.
  static func send(
    _ selector: Selector, to object: AnyObject, _ arguments: [Any?]
  ) -> Unmanaged<AnyObject>? {
    guard let result = call(selector, of: object, arguments) else { return nil }
    let kept = result as AnyObject
    // Unretained: there is no autorelease pool, so the thread's dictionary retains the last result.
    Thread.current.threadDictionary["ObjectiveCSupport.result"] = kept
    return Unmanaged.passUnretained(kept)
  }
}
