import KeyValueCoding
import Synchronization

/// The managed object classes of the program, by the names that models give them.
///
/// The `ManagedObjects` build plugin registers the classes of its target before `main` runs. A class
/// in a target without the plugin is registered by hand, before its first object is made:
///
///     ManagedObjectClasses.register("Item", module: "App", type: Item.self) {
///       Item(entity: $0, insertInto: $1)
///     }
public enum ManagedObjectClasses {
  public typealias Factory =
    @Sendable (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject
  public typealias Getter = @Sendable (NSManagedObject) -> Any?
  public typealias Validation =
    @Sendable (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void

  final class Registration: Sendable {
    /// `module.name`; no two classes share it.
    let name: String
    let type: NSManagedObject.Type
    let getters: [String: Getter]
    /// Whether the class itself declares no initializer that makes objects.
    let inheritsInitializer: Bool
    let make: Factory

    init(
      name: String, type: NSManagedObject.Type, getters: [String: Getter],
      inheritsInitializer: Bool = false, make: @escaping Factory
    ) {
      self.name = name
      self.type = type
      self.getters = getters
      self.inheritsInitializer = inheritsInitializer
      self.make = make
    }

    convenience init(_ factory: ManagedObjectFactory) {
      self.init(
        name: "\(factory.type)", type: factory.type, getters: [:], make: factory.make)
    }
  }

  private struct Registrations {
    var byName: [String: Registration] = [:]
    var byType: [ObjectIdentifier: Registration] = [:]
    /// The classes that have another name in Objective-C.
    var renamed: [String: ObjectIdentifier] = [:]

    func named(_ name: String) -> Registration? {
      byName[name] ?? renamed[name].flatMap { byType[$0] }
    }
  }

  private static let registrations = Mutex(Registrations())

  /// Registers a class under its plain name and under `module.name`.
  ///
  /// - Parameters:
  ///   - name: The class's name as the model has it, without a module.
  ///   - module: The module that declares it.
  ///   - type: The class itself.
  ///   - getters: The computed properties that key-value coding can read, by name.
  ///   - keyPaths: The key paths of the same properties, for which Swift knows no names: those that are observed,
  ///     fetched or sorted by, by name.
  ///   - validations: What calls the class's methods `validate<Key>(_:)`, by key.
  ///   - keyPathsAffecting: What the class's methods `keyPathsForValuesAffecting<Key>()` answer, by key.
  ///   - inheritsInitializer: Whether the class has no initializer of its own but convenience ones. A fetch
  ///     copies the objects of such a class from an empty one, without calling `make` for each.
  ///   - make: Calls the class's `init(entity:insertInto:)`.
  public static func register(
    _ name: String, module: String, type: NSManagedObject.Type,
    getters: [String: Getter] = [:], keyPaths: [String: AnyKeyPath] = [:],
    validations: [String: Validation] = [:],
    keyPathsAffecting: [String: @Sendable () -> Set<String>] = [:],
    inheritsInitializer: Bool = false, make: @escaping Factory
  ) {
    for (name, keyPath) in keyPaths { KeyPathName.register(keyPath, as: name) }
    NamedMembers.add(validations, keyPathsAffecting, to: type)
    let registration = Registration(
      name: "\(module).\(name)", type: type, getters: getters,
      inheritsInitializer: inheritsInitializer, make: make)
    registrations.withLock {
      $0.byName[registration.name] = registration
      $0.byName[name] = registration
      $0.byType[ObjectIdentifier(type)] = registration
    }
  }

  /// Gives a class, registered before or after, the name that it has in Objective-C.
  package static func name(_ type: NSManagedObject.Type, _ name: String) {
    registrations.withLock { $0.renamed[name] = ObjectIdentifier(type) }
  }

  /// The registration of a class name as models write it: `Item`, `.Item` or `App.Item`. Of several modules' classes
  /// of a name without a module it is the one that was registered last.
  static func registration(_ name: String) -> Registration? {
    let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
    return registrations.withLock { all in
      all.named(plain) ?? plain.split(separator: ".").last.flatMap { all.named(String($0)) }
    }
  }

  /// The class of a name, as above.
  package static func type(named name: String) -> NSManagedObject.Type? { registration(name)?.type }

  static func registration(of type: NSManagedObject.Type) -> Registration? {
    registrations.withLock { $0.byType[ObjectIdentifier(type)] }
  }

  /// What stands for a class that nobody has registered: objects are made as plain managed objects, as Apple's
  /// framework does, and standard error says so.
  static func missing(_ name: String) -> Registration {
    NSManagedObjectContext.warn(
      "Unable to load class named '\(name)', which the model names for its objects: they are made as "
        + "NSManagedObject instead. Give the target that declares it the ManagedObjects build plugin, "
        + "or call ManagedObjectClasses.register before the first object is made.")
    return Registration(name: name, type: NSManagedObject.self, getters: [:]) {
      NSManagedObject(entity: $0, insertInto: $1)
    }
  }
}

extension NamedMembers {
  /// What key-value coding and observing find by the names of methods in Objective-C.
  fileprivate static func add(
    _ validations: [String: ManagedObjectClasses.Validation],
    _ keyPathsAffecting: [String: @Sendable () -> Set<String>], to type: NSManagedObject.Type
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
