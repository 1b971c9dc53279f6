import Foundation

/// The getters that key-value coding is calling on the current thread.
///
/// A getter may read its own key, as a Swift property that is not visible to Objective-C does: `var
/// members: [Person]? { value(forKey: "members") as? [Person] }`. It then gets the model's value
/// instead of calling itself.
enum GetterCalls {
  private final class List {
    var calls: [(object: NSManagedObject, key: String)] = []
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
  static func answer(_ object: NSManagedObject, _ key: String) -> Any?? {
    let objectClass = object.layout.objectClass
    guard objectClass.hasGetters, let getter = objectClass.getter(key) else { return nil }
    let list = list
    guard !list.calls.contains(where: { $0.object === object && $0.key == key }) else { return nil }
    list.calls.append((object, key))
    defer { list.calls.removeLast() }
    return .some(getter(object))
  }
}
