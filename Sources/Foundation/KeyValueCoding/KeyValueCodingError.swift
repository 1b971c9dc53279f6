/// The reason why a key could not be read or set. The texts are those of Apple's exceptions,
/// followed by advice.
public enum KeyValueCodingError: Error, Equatable, CustomStringConvertible {
  /// The object has no property of that name (Apple's `NSUnknownKeyException`).
  case undefined(key: String, object: String, advice: String)
  /// The object has no settable property of that name (Apple's `NSUnknownKeyException`).
  case unsettable(key: String, object: String)
  /// The property cannot be nil (Apple's `NSInvalidArgumentException`).
  case nilNotAllowed(key: String, object: String)
  /// A path with an empty key or an unknown collection operator, or one that cannot be set.
  case malformedPath(String, reason: String)
  /// A collection operator met values that it cannot combine.
  case unsuitableValues(operator: String, reason: String)

  /// The text of Apple's exception, followed by advice.
  public var description: String {
    switch self {
    case .undefined(let key, let object, let advice):
      let text = "this class is not key value coding-compliant for the key \(key)."
      return "[\(object) valueForUndefinedKey:]: \(text)\(advice.isEmpty ? "" : " \(advice)")"
    case .unsettable(let key, let object):
      let text = "this class is not key value coding-compliant for the key \(key)."
      return "[\(object) setValue:forUndefinedKey:]: \(text)"
    case .nilNotAllowed(let key, let object):
      return "[\(object) setNilValueForKey]: could not set nil as the value for the key \(key)."
    case .malformedPath(let path, let reason): return "key path \"\(path)\": \(reason)"
    case .unsuitableValues(let name, let reason): return "@\(name): \(reason)"
    }
  }

  package static func undefinedKey(_ key: String, of object: Any, advice: String = "") -> Self {
    .undefined(key: key, object: objectName(object), advice: advice)
  }

  package static func unsettableKey(_ key: String, of object: Any) -> Self {
    .unsettable(key: key, object: objectName(object))
  }

  package static func nilValue(key: String, of object: Any) -> Self {
    .nilNotAllowed(key: key, object: objectName(object))
  }

  /// `<Class 0x…>` for an object, `<Type>` for a value; never its content. Only the address of the
  /// object is used, which the argument keeps alive.
  private static func objectName(_ object: Any) -> String {
    guard let instance = classInstance(object) else { return "<\(type(of: object))>" }
    let address = UInt(bitPattern: Unmanaged.passUnretained(instance).toOpaque())
    return "<\(type(of: instance)) 0x\(String(address, radix: 16))>"
  }
}

/// The object if the value is an instance of a class; nil for structures and the like, which a cast
/// to `AnyObject` would box.
package func classInstance(_ value: Any) -> AnyObject? {
  if let object = _openExistential(value, do: instance) { return object }
  // The type may be `AnyObject` itself, as that of the elements of an array that was cast.
  return type(of: value) is AnyClass ? (value as AnyObject) : nil
}

/// Unretained `classInstance(_:)`; valid as long as `value` is alive.
///
/// Nil also for some objects, for which ``classInstance(_:)`` must be called.
// Sound: the first word of an existential box holds the reference, and the last one its type.
package func uncountedInstance(_ value: Any?) -> Unmanaged<AnyObject>? {
  withUnsafeBytes(of: value) { box in
    guard box.count == 4 * MemoryLayout<UInt>.size,
      let type = box.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: Any.Type?.self),
      type is AnyClass
    else { return nil }
    return box.load(as: Unmanaged<AnyObject>.self)
  }
}

// The value as an object if its static type is a class; nil otherwise. A cast to `AnyObject` would
// search for bridges first. Sound: a value of a class type is one reference.
private func instance<Value>(_ value: Value) -> AnyObject? {
  Value.self is AnyClass ? unsafeBitCast(value, to: AnyObject.self) : nil
}
