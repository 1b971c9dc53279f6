import Foundation

/// The getters that key-value coding is calling on this thread.
///
/// A getter may ask for the value of its own key, as a Swift property does that Objective-C does not see:
/// `var members: [Person]? { value(forKey: "members") as? [Person] }`. It gets what the model holds, not itself again.
enum GetterCalls {
  private final class List {
    var calls: [(object: NSManagedObject, key: String)] = []
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      Unmanaged<List>.fromOpaque(pointer).release()
    }
    return key
  }()

  private static var list: List {
    if let known = pthread_getspecific(key) {
      return Unmanaged<List>.fromOpaque(known).takeUnretainedValue()
    }
    let made = List()
    pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  /// What the object's class answers for a key by a getter of its own; nil where it declares none, or where that one
  /// is asking.
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
