import Foundation

/// The getters and setters that key-value coding is calling on the current thread.
///
/// A getter may read its own key, as a Swift property that is not visible to Objective-C does: `var
/// members: [Person]? { value(forKey: "members") as? [Person] }`. It then gets the model's value
/// instead of calling itself. So does a setter that sets its own key.
enum AccessorCalls {
  private enum Accessor { case getter, setter }

  private final class List {
    var calls: [(object: NSManagedObject, key: String, accessor: Accessor)] = []

    /// The result of `body`; nil if the accessor is being called already.
    func call<Result>(
      _ accessor: Accessor, of object: NSManagedObject, key: String, body: () -> Result
    ) -> Result? {
      let isRunning = calls.contains {
        $0.object === object && $0.accessor == accessor && $0.key == key
      }
      guard !isRunning else { return nil }
      calls.append((object, key, accessor))
      defer { calls.removeLast() }
      return body()
    }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      // Sound: balances the `passRetained` in `list`, when the thread ends.
      Unmanaged<List>.fromOpaque(pointer).release()
    }
    return key
  }()

  private static var list: List {
    if let known = pthread_getspecific(key) {
      // Sound: the thread's value keeps the list alive until the thread ends.
      return Unmanaged<List>.fromOpaque(known).takeUnretainedValue()
    }
    let made = List()
    // Retained by the thread's value; released by the destructor of `key`.
    pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  /// The result of the class's getter for a key; nil if the class declares none, or if this getter
  /// is itself reading the key.
  static func answer(_ object: NSManagedObject, key: String) -> Any?? {
    let objectClass = object.layout.objectClass
    guard objectClass.hasGetters, let getter = objectClass.getter(key) else { return nil }
    return list.call(.getter, of: object, key: key) { getter(object) }
  }

  /// Calls the class's setter for a key. Returns false if the class declares none, if its type has
  /// no such value, or if this setter is itself setting the key.
  static func set(_ value: Any?, object: NSManagedObject, key: String) -> Bool {
    let objectClass = object.layout.objectClass
    guard objectClass.hasSetters, let keyPath = objectClass.setter(key) else { return false }
    return list.call(.setter, of: object, key: key) {
      func assign<Property>(_: Property.Type) -> Bool {
        self.assign(value, to: object, keyPath: keyPath, as: Property.self)
      }
      return _openExistential(type(of: keyPath).valueType, do: assign)
    } ?? false
  }

  private static func assign<Property>(
    _ value: Any?, to object: NSManagedObject, keyPath: AnyKeyPath, as type: Property.Type
  ) -> Bool {
    guard let value = typed(value, as: type) else { return false }
    func assign<Root>(_: Root.Type) -> Bool {
      guard let keyPath = keyPath as? ReferenceWritableKeyPath<Root, Property>,
        let root = object as? Root
      else { return false }
      root[keyPath: keyPath] = value
      return true
    }
    return _openExistential(Swift.type(of: keyPath).rootType, do: assign)
  }

  /// The value as a property's type; for nil and a type without it, or another value that the type
  /// does not have, nil.
  private static func typed<Value>(_ value: Any?, as type: Value.Type) -> Value? {
    guard let value, !(value is NSNull) else { return Optional<Any>.none as? Value }
    return DeclaredType.value(value, as: type)
  }
}
