import CoreData
import Synchronization

/// The classes that have a name in Objective-C, by it.
enum ClassNames {
  private struct Names {
    var classes: [String: AnyClass] = [:]
    var names: [ObjectIdentifier: String] = [:]
  }

  // Guarded by its lock; classes are immutable.
  private struct Guarded: @unchecked Sendable { var names = Names() }
  private static let all = Mutex(Guarded())

  static func register(_ type: AnyClass, as name: String) {
    all.withLock {
      $0.names.classes[name] = type
      $0.names.names[ObjectIdentifier(type)] = name
    }
    if let managed = type as? NSManagedObject.Type { ManagedObjectClasses.name(managed, name) }
    // Archives of Apple's systems have the name of `@objc(Name)`.
    if type is any NSCoding.Type { NSKeyedUnarchiver.setClass(type, forClassName: name) }
  }

  static func type(named name: String) -> AnyClass? {
    all.withLock { $0.names.classes[name] }
  }

  static func name(of type: AnyClass) -> String? {
    all.withLock { $0.names.names[ObjectIdentifier(type)] }
  }
}

/// The class of a name: one of `@objc(Name)`, of a managed object class as models name it, of a module's class,
/// `Module.Class`, or of one inside of other types, `_TtCC6Module5Outer5Inner`. What `NSClassFromString` is in ported
/// sources.
public func classNamed(_ aClassName: String) -> AnyClass? {
  if let found = ClassNames.type(named: aClassName) ?? ManagedObjectClasses.type(named: aClassName)
  {
    return found
  }
  // Foundation knows no mangled names, and says so on standard error.
  if aClassName.hasPrefix("_Tt") { return MangledName.type(named: aClassName) }
  if aClassName.hasPrefix("$s") { return _typeByName(String(aClassName.dropFirst(2))) as? AnyClass }
  return Foundation.NSClassFromString(aClassName)
}

/// The name of a class: that of `@objc(Name)` if it has one, and a mangled one of a class inside of other types. What
/// `NSStringFromClass` is in ported sources.
public func nameOfClass(_ aClass: AnyClass) -> String {
  if let name = ClassNames.name(of: aClass) { return name }
  if isAtTop(aClass) { return Foundation.NSStringFromClass(aClass) }
  return MangledName.of(aClass, inFile: nil) ?? "$s" + (_mangledTypeName(aClass) ?? "\(aClass)")
}

/// Whether a class is at the top of its module for all to see: Foundation stops the program at the name of another.
func isAtTop(_ type: AnyClass) -> Bool {
  _typeName(type, qualified: true).split(separator: ".").count == 2
}
