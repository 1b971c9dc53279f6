import CoreData
import KeyValueCoding

/// Registers a class and its members by name. Ported sources do this before `main` runs.
public struct ObjectiveCClass<Object: AnyObject> {
  private let type: Object.Type

  /// - Parameters:
  ///   - name: the Objective-C name of the class, if it differs from the Swift name.
  ///   - file: the source file of a class whose name archives must contain.
  @discardableResult public init(
    _ type: Object.Type, name: String? = nil, archivedFrom file: String? = nil
  ) {
    self.type = type
    if let name { ClassNames.register(type, as: name) }
    if let file { ArchivedClasses.register(type, inFile: file) }
  }

  // MARK: - Methods

  /// Registers a method by its selector. `body` calls it with `count` arguments.
  public func method<Result>(
    _ selector: String, _ count: Int,
    _ body: @escaping (Object, ArgumentList) throws -> Result
  ) {
    let type = type
    let method = NamedMethod(parameterCount: count) { object, arguments in
      Unwrapped.value(
        try body(
          object as! Object, ArgumentList(arguments, selector: "-[\(type) \(selector)]")))
    }
    NamedMembers.add(method, named: selector, to: type)
  }

  /// Registers a method of the main actor by its selector. Traps if it is called by name on another
  /// thread.
  public func method<Result>(
    _ selector: String, _ count: Int,
    onMainActor body: @escaping @MainActor (Object, ArgumentList) throws -> Result
  ) {
    method(selector, count) { object, arguments in
      try Main.call(object, arguments) { try body($0, $1) }
    }
  }

  // MARK: - Properties

  /// Registers a property for key-value coding, and the name of its key path. It is writable if the
  /// key path is.
  public func property<Value>(_ key: String, _ keyPath: KeyPath<Object, Value>) {
    KeyPathName.register(keyPath, as: key)
    // Sound: key paths are immutable, and this one is used where its object is.
    nonisolated(unsafe) let keyPath = keyPath
    let writable = keyPath as? ReferenceWritableKeyPath<Object, Value>
    add(key, { $0[keyPath: keyPath] }, writable.map { path in { $0[keyPath: path] = $1 } })
  }

  /// Registers a read-only property of the main actor.
  public func property<Value>(
    _ key: String, onMainActor get: @escaping @MainActor (Object) -> Value
  ) {
    add(key, Self.onMain(get), nil)
  }

  /// Registers a property of the main actor.
  public func property<Value>(
    _ key: String, onMainActor get: @escaping @MainActor (Object) -> Value,
    _ set: @escaping @MainActor (Object, Value) -> Void
  ) {
    add(
      key, Self.onMain(get),
      // `try!`: the setter cannot throw.
      { object, value in try! Main.call(object, value) { set($0, $1) } })
  }

  /// Registers the name of a property's key path only.
  public func path(_ key: String, _ keyPath: PartialKeyPath<Object>) {
    KeyPathName.register(keyPath, as: key)
  }

  /// Registers the result of a class method or property that key-value observing looks up by name.
  public func classAnswer(_ name: String, _ body: @escaping @Sendable () -> Any) {
    NamedMembers.add(classAnswer: body, named: name, to: type)
  }

  /// Registers the result of a class method or property of the main actor.
  public func classAnswer(
    _ name: String, onMainActor body: @escaping @MainActor @Sendable () -> any Sendable
  ) {
    NamedMembers.add(
      classAnswer: { MainActor.assumeIsolated(body) }, named: name, to: type)
  }

  private static func onMain<Value>(
    _ get: @escaping @MainActor (Object) -> Value
  ) -> (Object) -> Value {
    // `try!`: the getter cannot throw.
    { object in try! Main.call(object, ()) { object, _ in get(object) } }
  }

  private func add<Value>(
    _ key: String, _ get: @escaping (Object) -> Value, _ set: ((Object, Value) -> Void)?
  ) {
    let getter: (AnyObject) -> Any? = { Unwrapped.value(get($0 as! Object)) }
    let setter = set.map { set in
      { (object: AnyObject, value: Any?) -> Bool in
        guard let converted = Argument.convert(value, to: Value.self) else {
          if value == nil || value is NSNull { return false }
          fatalError(
            "The value of type \(Swift.type(of: value!)) for the key “\(key)” of \(Object.self) is no \(Value.self)"
          )
        }
        set(object as! Object, converted)
        return true
      }
    }
    NamedMembers.add(NamedProperty(get: getter, set: setter), named: key, to: type)
  }
}

/// Calls on the main actor. Traps if the caller is not there.
private enum Main {
  // Sendable: the object does not leave the thread, since the call is synchronous.
  private final class Call<First, Second, Result>: @unchecked Sendable {
    let first: First
    let second: Second
    var result: Swift.Result<Result, any Error>?

    init(_ first: First, _ second: Second) {
      self.first = first
      self.second = second
    }
  }

  static func call<First, Second, Result>(
    _ first: First, _ second: Second,
    _ body: @MainActor (First, Second) throws -> Result
  ) throws -> Result {
    let call = Call<First, Second, Result>(first, second)
    MainActor.assumeIsolated {
      call.result = Swift.Result { try body(call.first, call.second) }
    }
    return try call.result!.get()
  }
}
