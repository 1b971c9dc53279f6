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

/// The class of a name: one of `@objc(Name)`, of a managed object class as models name it, or of a module's class,
/// `Module.Class`. What `NSClassFromString` is in ported sources.
public func classNamed(_ aClassName: String) -> AnyClass? {
  ClassNames.type(named: aClassName) ?? ManagedObjectClasses.type(named: aClassName)
    ?? Foundation.NSClassFromString(aClassName)
}

/// The name of a class: that of `@objc(Name)` if it has one. What `NSStringFromClass` is in ported sources.
public func nameOfClass(_ aClass: AnyClass) -> String {
  ClassNames.name(of: aClass) ?? Foundation.NSStringFromClass(aClass)
}

/// A selector's name.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }

/// The selector of a name.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }
