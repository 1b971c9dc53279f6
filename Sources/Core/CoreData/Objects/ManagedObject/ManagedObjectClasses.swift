import KeyValueCoding
import Synchronization

/// The program's managed object classes, by the names that models use.
///
/// The `ManagedObjects` build plugin registers the classes of its target before `main` runs.
/// Register a class of a target without the plugin yourself, before its first object is made:
///
///     ManagedObjectClasses.register("Item", module: "App", type: Item.self) {
///       Item(entity: $0, insertInto: $1)
///     }
public enum ManagedObjectClasses {
  /// Makes an object of the class and inserts it into the context, if there is one.
  public typealias Factory =
    @Sendable (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject
  /// Reads a computed property of an object.
  public typealias Getter = @Sendable (NSManagedObject) -> Any?
  /// Calls a validation method of an object; throws its error.
  public typealias Validation =
    @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

  final class Registration: Sendable {
    /// `module.name`, which is unique.
    let name: String
    let type: NSManagedObject.Type
    let getters: [String: Getter]
    /// The key paths of the properties that key-value coding sets.
    // Unsafe: key paths are immutable; only the type of those with arguments cannot say so.
    nonisolated(unsafe) let setters: [String: AnyKeyPath]
    /// Whether the class itself declares no initializer that makes objects.
    let inheritsInitializer: Bool
    let make: Factory

    init(
      name: String, type: NSManagedObject.Type, getters: [String: Getter] = [:],
      setters: [String: AnyKeyPath] = [:], inheritsInitializer: Bool = false,
      make: @escaping Factory
    ) {
      self.name = name
      self.type = type
      self.getters = getters
      self.setters = setters
      self.inheritsInitializer = inheritsInitializer
      self.make = make
    }

    convenience init(_ factory: ManagedObjectFactory) {
      self.init(name: "\(factory.type)", type: factory.type, make: factory.make)
    }

    /// This registration with the accessors of superclasses, which may be of other modules.
    var withInherited: Registration {
      guard let parent = _getSuperclass(type) as? NSManagedObject.Type,
        parent != NSManagedObject.self
      else { return self }
      let inherited = ManagedObjectClasses.registration(of: parent)?.withInherited
      guard let inherited, !inherited.getters.isEmpty || !inherited.setters.isEmpty else {
        return self
      }
      return Registration(
        name: name, type: type,
        getters: inherited.getters.merging(getters) { _, own in own },
        setters: inherited.setters.merging(setters) { _, own in own },
        inheritsInitializer: inheritsInitializer, make: make)
    }
  }

  private struct Registrations {
    var byName: [String: Registration] = [:]
    var byType: [ObjectIdentifier: Registration] = [:]
    /// Classes with another name in Objective-C.
    var renamed: [String: ObjectIdentifier] = [:]

    func named(_ name: String) -> Registration? {
      byName[name] ?? renamed[name].flatMap { byType[$0] }
    }
  }

  private static let registrations = Mutex(Registrations())

  /// Registers a class under its plain name and under `module.name`.
  ///
  /// - Parameters:
  ///   - name: the class's name as in the model, without a module.
  ///   - module: the module that declares the class.
  ///   - type: the class.
  ///   - getters: the computed properties that key-value coding can read, by name.
  ///   - keyPaths: the key paths of those properties that are observed, fetched or sorted by, by
  ///     name: Swift knows no names of key paths.
  ///   - setters: the names of those of `keyPaths` whose setters key-value coding calls.
  ///   - validations: functions that call the class's methods `validate<Key>(_:)`, by key.
  ///   - keyPathsAffecting: functions that call the class's methods
  ///     `keyPathsForValuesAffecting<Key>()`, by key.
  ///   - inheritsInitializer: whether the class declares only convenience initializers. A fetch
  ///     then copies an empty object instead of calling `make` for each object.
  ///   - make: calls the class's `init(entity:insertInto:)`.
  public static func register(
    _ name: String, module: String, type: NSManagedObject.Type,
    getters: [String: Getter] = [:], keyPaths: [String: AnyKeyPath] = [:],
    setters: Set<String> = [], validations: [String: Validation] = [:],
    keyPathsAffecting: [String: @Sendable () -> Set<String>] = [:],
    inheritsInitializer: Bool = false, make: @escaping Factory
  ) {
    for (name, keyPath) in keyPaths { KeyPathName.register(keyPath, as: name) }
    NamedMembers.add(validations, keyPathsAffecting: keyPathsAffecting, to: type)
    let registration = Registration(
      name: "\(module).\(name)", type: type, getters: getters,
      setters: keyPaths.filter { setters.contains($0.key) },
      inheritsInitializer: inheritsInitializer, make: make)
    registrations.withLock {
      $0.byName[registration.name] = registration
      $0.byName[name] = registration
      $0.byType[ObjectIdentifier(type)] = registration
    }
  }

  /// Sets the name of a class in Objective-C, before or after its registration.
  package static func name(_ type: NSManagedObject.Type, name: String) {
    registrations.withLock { $0.renamed[name] = ObjectIdentifier(type) }
  }

  /// The registration of a class name in a model: `Item`, `.Item` or `App.Item`. If several modules
  /// have a class of that plain name, the last registered one.
  static func registration(_ name: String) -> Registration? {
    let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
    return registrations.withLock { all in
      all.named(plain) ?? plain.split(separator: ".").last.flatMap { all.named(String($0)) }
    }
  }

  /// The class of a name in a model; see ``registration(_:)``.
  package static func type(named name: String) -> NSManagedObject.Type? { registration(name)?.type }

  static func registration(of type: NSManagedObject.Type) -> Registration? {
    registrations.withLock { $0.byType[ObjectIdentifier(type)] }
  }

  /// A registration in place of a missing one: makes plain managed objects, as Apple's framework
  /// does, and writes a warning to standard error.
  static func missing(_ name: String) -> Registration {
    Console.warning(
      "Unable to load class named '\(name)', which the model names for its objects: they are made as "
        + "NSManagedObject instead. Give the target that declares it the ManagedObjects build plugin, "
        + "or call ManagedObjectClasses.register before the first object is made.")
    return Registration(name: name, type: NSManagedObject.self) {
      NSManagedObject(entity: $0, insertInto: $1)
    }
  }
}

extension NamedMembers {
  /// Registers the methods that key-value coding and observing find by name in Objective-C.
  fileprivate static func add(
    _ validations: [String: ManagedObjectClasses.Validation],
    keyPathsAffecting: [String: @Sendable () -> Set<String>], to type: NSManagedObject.Type
  ) {
    func capitalized(_ key: String) -> String { key.prefix(1).uppercased() + key.dropFirst() }
    for (key, validate) in validations {
      let method = NamedMethod(parameterCount: 1) { object, arguments in
        try validate(
          object as! NSManagedObject, arguments[0] as! AutoreleasingUnsafeMutablePointer<AnyObject?>
        )
        return nil
      }
      add(method, named: "validate\(capitalized(key)):error:", to: type)
    }
    for (key, answer) in keyPathsAffecting {
      add(
        classAnswer: answer, named: "keyPathsForValuesAffecting\(capitalized(key))", to: type)
    }
  }
}
