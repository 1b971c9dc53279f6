import CoreData
import Synchronization

/// Classes by their Objective-C name, and the reverse.
enum ClassNames {
  private struct Names {
    var classes: [String: AnyClass] = [:]
    var names: [ObjectIdentifier: String] = [:]
  }

  // Sendable: `all` guards the tables with a mutex; class objects are immutable.
  private struct Guarded: @unchecked Sendable { var names = Names() }
  private static let all = Mutex(Guarded())

  static func register(_ type: AnyClass, as name: String) {
    all.withLock {
      $0.names.classes[name] = type
      $0.names.names[ObjectIdentifier(type)] = name
    }
    if let managed = type as? NSManagedObject.Type {
      ManagedObjectClasses.name(managed, name: name)
    }
    // Archives from Apple's systems contain the name of `@objc(Name)`.
    if type is any NSCoding.Type { NSKeyedUnarchiver.setClass(type, forClassName: name) }
  }

  static func type(named name: String) -> AnyClass? {
    all.withLock { $0.names.classes[name] }
  }

  static func name(of type: AnyClass) -> String? {
    all.withLock { $0.names.names[ObjectIdentifier(type)] }
  }
}

/// The class of a name. Replaces `NSClassFromString` in ported sources. The name is that of
/// `@objc(Name)`, that of a managed object class in a model, `Module.Class`, or the mangled name of
/// a nested class, `_TtCC6Module5Outer5Inner`.
public func classNamed(_ aClassName: String) -> AnyClass? {
  if let found = ClassNames.type(named: aClassName) ?? ManagedObjectClasses.type(named: aClassName)
  {
    return found
  }
  // Foundation does not resolve mangled names and prints an error for them.
  if aClassName.hasPrefix("_Tt") { return MangledName.type(named: aClassName) }
  if aClassName.hasPrefix("$s") { return _typeByName(String(aClassName.dropFirst(2))) as? AnyClass }
  return Foundation.NSClassFromString(aClassName)
}

/// The name of a class. Replaces `NSStringFromClass` in ported sources. The name is that of
/// `@objc(Name)` if there is one, and mangled for a nested class.
public func nameOfClass(_ aClass: AnyClass) -> String {
  if let name = ClassNames.name(of: aClass) { return name }
  if isAtTop(aClass) { return Foundation.NSStringFromClass(aClass) }
  return MangledName.of(aClass, inFile: nil) ?? "$s" + (_mangledTypeName(aClass) ?? "\(aClass)")
}

/// Registers a managed object class that a function of a ported source declares, by the name that
/// ``nameOfClass(_:)`` gives it.
///
/// - Parameter make: calls the class's `init(entity:insertInto:)`.
public func registerLocalClass(
  _ type: NSManagedObject.Type, make: @escaping ManagedObjectClasses.Factory
) {
  ManagedObjectClasses.register(nameOfClass(type), module: "Local", type: type, make: make)
}

/// Returns whether a class is at the top level of its module and not private. Foundation traps for
/// the name of any other class.
func isAtTop(_ type: AnyClass) -> Bool {
  _typeName(type, qualified: true).split(separator: ".").count == 2
}
