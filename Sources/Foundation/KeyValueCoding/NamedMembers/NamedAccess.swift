/// Key-value coding by method names: getters, setters and validations.
package enum NamedAccess {
  /// The result of the class's own getter; nil if it has none.
  package static func value(of object: AnyObject, forKey key: String) -> Any?? {
    guard NamedMembers.areKnown else { return nil }
    let type: AnyClass = Swift.type(of: object)
    for name in ["get\(capitalized(key))", key, "is\(capitalized(key))", "_\(key)"] {
      if let method = NamedMembers.method(name, of: type), method.parameterCount == 0 {
        // A getter that throws is not one of Objective-C's.
        return .some((try? method.call(object, [])) ?? nil)
      }
      if let property = NamedMembers.property(name, of: type) { return .some(property.get(object)) }
    }
    return nil
  }

  package enum Setting {
    case done, refusesNil
  }

  /// Calls the class's own setter; nil if it has none.
  package static func set(_ value: Any?, of object: AnyObject, forKey key: String) -> Setting? {
    guard NamedMembers.areKnown else { return nil }
    let type: AnyClass = Swift.type(of: object)
    for name in ["set\(capitalized(key)):", "_set\(capitalized(key)):"] {
      if let method = NamedMembers.method(name, of: type), method.parameterCount == 1 {
        _ = try? method.call(object, [value])
        return .done
      }
    }
    for name in [key, "is\(capitalized(key))", "_\(key)"] {
      if let set = NamedMembers.property(name, of: type)?.set {
        return set(object, value) ? .done : .refusesNil
      }
    }
    return nil
  }

  /// The value with which `validate<Key>:error:` replaces the given one; nil if the class has no
  /// such method or the method keeps the value.
  package static func validate(
    _ value: Any?, of object: AnyObject, forKey key: String
  ) throws -> Any?? {
    guard NamedMembers.areKnown,
      let method = NamedMembers.method(
        "validate\(capitalized(key)):error:", of: type(of: object))
    else { return nil }
    let boxed = value.map { $0 as AnyObject }
    let pointer = AutoreleasingUnsafeMutablePointer<AnyObject?>(boxed)
    _ = try method.call(object, [pointer])
    return pointer.pointee === boxed ? nil : .some(pointer.pointee)
  }

  private static func capitalized(_ key: String) -> String {
    key.prefix(1).uppercased() + key.dropFirst()
  }
}
