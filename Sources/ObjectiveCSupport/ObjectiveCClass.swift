import CoreData
import KeyValueCoding

/// Makes a class and its members known by name. Ported sources do so before `main` runs.
public struct ObjectiveCClass<Object: AnyObject> {
  private let type: Object.Type

  /// - Parameters:
  ///   - name: The name that the class has in Objective-C, if it is another than its own in Swift.
  ///   - file: The file of a class that archives have to know by name.
  @discardableResult public init(
    _ type: Object.Type, name: String? = nil, archivedFrom file: String? = nil
  ) {
    self.type = type
    if let name { ClassNames.register(type, as: name) }
    if let file { ArchivedClasses.register(type, inFile: file) }
  }

  // MARK: - Methods

  /// Makes a method known by its selector. `body` calls it with as many arguments as `count` says.
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

  /// The same for a method of the main actor: whoever calls it by name has to be there.
  public func method<Result>(
    _ selector: String, _ count: Int,
    onMainActor body: @escaping @MainActor (Object, ArgumentList) throws -> Result
  ) {
    method(selector, count) { object, arguments in
      try Main.call(object, arguments) { try body($0, $1) }
    }
  }

  // MARK: - Properties

  /// Makes a property known to key-value coding, and gives its key path its name. It can be set if the key path can.
  public func property<Value>(_ key: String, _ keyPath: KeyPath<Object, Value>) {
    KeyPathName.register(keyPath, as: key)
    // Immutable, and used where the object is.
    nonisolated(unsafe) let keyPath = keyPath
    let writable = keyPath as? ReferenceWritableKeyPath<Object, Value>
    add(key, { $0[keyPath: keyPath] }, writable.map { path in { $0[keyPath: path] = $1 } })
  }

  /// The same for a property of the main actor.
  public func property<Value>(
    _ key: String, onMainActor get: @escaping @MainActor (Object) -> Value
  ) {
    add(key, Self.onMain(get), nil)
  }

  /// The same for a property of the main actor.
  public func property<Value>(
    _ key: String, onMainActor get: @escaping @MainActor (Object) -> Value,
    _ set: @escaping @MainActor (Object, Value) -> Void
  ) {
    add(
      key, Self.onMain(get),
      // Nothing is thrown: the setter cannot.
      { object, value in try! Main.call(object, value) { set($0, $1) } })
  }

  /// Gives a property's key path its name, and makes nothing else known.
  public func path(_ key: String, _ keyPath: PartialKeyPath<Object>) {
    KeyPathName.register(keyPath, as: key)
  }

  /// Makes known what a class method or property answers that key-value observing finds by its name.
  public func classAnswer(_ name: String, _ body: @escaping @Sendable () -> Any) {
    NamedMembers.add(classAnswer: body, named: name, to: type)
  }

  /// The same of the main actor.
  public func classAnswer(
    _ name: String, onMainActor body: @escaping @MainActor @Sendable () -> any Sendable
  ) {
    NamedMembers.add(
      classAnswer: { MainActor.assumeIsolated(body) }, named: name, to: type)
  }

  private static func onMain<Value>(
    _ get: @escaping @MainActor (Object) -> Value
  ) -> (Object) -> Value {
    // Nothing is thrown: the getter cannot.
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

/// Calls on the main actor, where the caller has to be; else the program stops.
private enum Main {
  // Sendable because nothing is sent: the call ends before anything else happens.
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
