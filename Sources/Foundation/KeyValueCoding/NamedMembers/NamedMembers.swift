import Synchronization

/// Registry of the methods and properties of a class by name, which the Objective-C runtime would
/// have.
///
/// Ported sources register theirs before `main` runs. A lookup includes superclasses.
package final class NamedMembers: @unchecked Sendable {
  // Unchecked: the tables are written under the lock of `classes`, by registrations before `main`
  // runs. Lookups after that read them without the lock.
  private var methods: [String: NamedMethod] = [:]
  private var properties: [String: NamedProperty] = [:]
  /// Class methods that key-value observing calls, by name.
  private var classAnswers: [String: @Sendable () -> Any] = [:]

  private static let classes = Mutex<[ObjectIdentifier: NamedMembers]>([:])
  private static let hasAny = Atomic(false)
  private static let hasValidations = Atomic(false)

  /// Whether any class has registered a member. If none has, lookups can be skipped.
  package static var areKnown: Bool { hasAny.load(ordering: .relaxed) }

  private init() {}

  package static func add(_ method: NamedMethod, named name: String, to type: AnyClass) {
    edit(type) { $0.methods[name] = method }
    if name.hasPrefix("validate") { hasValidations.store(true, ordering: .relaxed) }
  }

  package static func add(_ property: NamedProperty, named name: String, to type: AnyClass) {
    edit(type) { $0.properties[name] = property }
  }

  package static func add(
    classAnswer: @escaping @Sendable () -> Any, named name: String, to type: AnyClass
  ) {
    edit(type) { $0.classAnswers[name] = classAnswer }
  }

  private static func edit(_ type: AnyClass, change: (NamedMembers) -> Void) {
    classes.withLock { all in
      let members = all[ObjectIdentifier(type)] ?? NamedMembers()
      change(members)
      all[ObjectIdentifier(type)] = members
    }
    hasAny.store(true, ordering: .relaxed)
  }

  // MARK: - Finding

  package static func method(_ name: String, of type: AnyClass) -> NamedMethod? {
    find(in: type) { $0.methods[name] }
  }

  package static func property(_ name: String, of type: AnyClass) -> NamedProperty? {
    find(in: type) { $0.properties[name] }
  }

  /// The result of the class method `keyPathsForValuesAffecting<Key>`; empty if there is none.
  package static func keyPathsAffecting(_ key: String, of type: AnyClass) -> Set<String> {
    let name = "keyPathsForValuesAffecting\(key.prefix(1).uppercased())\(key.dropFirst())"
    return find(in: type) { $0.classAnswers[name] }?() as? Set<String> ?? []
  }

  /// The result of the class method `automaticallyNotifiesObserversOf<Key>`; true if there is none.
  package static func notifiesByItself(of key: String, _ type: AnyClass) -> Bool {
    let name = "automaticallyNotifiesObserversOf\(key.prefix(1).uppercased())\(key.dropFirst())"
    return find(in: type) { $0.classAnswers[name] }?() as? Bool ?? true
  }

  /// Returns whether the class or a superclass has a method that validates a key.
  package static func validates(_ type: AnyClass) -> Bool {
    guard hasValidations.load(ordering: .relaxed) else { return false }
    return find(in: type) { members in
      members.methods.keys.contains { $0.hasPrefix("validate") && $0.hasSuffix(":error:") }
        ? true : nil
    } ?? false
  }

  private static func find<Found>(
    in type: AnyClass, _ look: (NamedMembers) -> Found?
  ) -> Found? {
    guard areKnown else { return nil }
    var current: AnyClass? = type
    while let candidate = current {
      let members = classes.withLock { $0[ObjectIdentifier(candidate)] }
      if let found = members.flatMap(look) { return found }
      current = _getSuperclass(candidate)
    }
    return nil
  }
}

/// A method, called with `parameterCount` arguments.
package struct NamedMethod: @unchecked Sendable {
  // Unchecked: a table of constant functions. The caller runs them on the queue of the object.
  package let parameterCount: Int
  package let call: (AnyObject, [Any?]) throws -> Any?

  package init(parameterCount: Int, call: @escaping (AnyObject, [Any?]) throws -> Any?) {
    self.parameterCount = parameterCount
    self.call = call
  }
}

/// A property, with its setter if it has one.
package struct NamedProperty: @unchecked Sendable {
  // Unchecked: a table of constant functions. The caller runs them on the queue of the object.
  package let get: (AnyObject) -> Any?
  /// Returns false if the property cannot be nil and nil was passed.
  package let set: ((AnyObject, Any?) -> Bool)?

  package init(get: @escaping (AnyObject) -> Any?, set: ((AnyObject, Any?) -> Bool)?) {
    self.get = get
    self.set = set
  }
}
