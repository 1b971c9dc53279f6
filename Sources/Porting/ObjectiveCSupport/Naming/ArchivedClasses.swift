import CoreData
import Synchronization

/// Archive names of classes for which Foundation's archiver cannot find a name itself.
///
/// The archiver traps at a class that is not at the top level of a module, and does not read back a
/// name that was set for a class. So each such class is archived through a stand-in class whose own
/// name is the required one.
enum ArchivedClasses {
  // Sendable: `all` guards the table with a mutex; class objects are immutable.
  fileprivate struct Guarded: @unchecked Sendable {
    var standIns: [ObjectIdentifier: AnyClass] = [:]
  }
  private static let all = Mutex(Guarded())

  /// Registers the name of a class, so that archives can be read before one has been written.
  static func register(_ type: AnyClass, inFile file: String?) {
    guard ClassNames.name(of: type) == nil else { return }
    let mangled = isAtTop(type) ? nil : MangledName.of(type, inFile: file)
    ClassNames.register(type, as: mangled ?? nameOfClass(type))
  }

  static func standIn(for type: AnyClass) -> AnyClass {
    all.withLock { $0.standIn(for: type) }
  }

  /// Returns whether Foundation finds no name, or a wrong one, for the class or for one of its
  /// superclasses.
  static func needsStandIn(_ type: AnyClass) -> Bool {
    if ClassNames.name(of: type) != nil || !isAtTop(type) { return true }
    return _getSuperclass(type).map(needsStandIn) ?? false
  }
}

extension ArchivedClasses.Guarded {
  /// The stand-in of a class: a class whose name archivers can find, as well as the names of its
  /// superclasses.
  fileprivate mutating func standIn(for type: AnyClass) -> AnyClass {
    if let known = standIns[ObjectIdentifier(type)] { return known }
    // Generic classes and classes in functions are registered on first use.
    if !isAtTop(type) { ArchivedClasses.register(type, inFile: nil) }
    let parts = nameOfClass(type).split(separator: ".").map(String.init)
    // Foundation's own class names contain no module.
    let made: AnyClass = NamedClass.make(
      module: parts.count == 2 ? parts[0] : "Foundation", name: parts[parts.count - 1],
      superclass: _getSuperclass(type).map { standIn(for: $0) })
    standIns[ObjectIdentifier(type)] = made
    return made
  }
}

/// The class whose name an archive records for objects of a class. Ported classes return it as
/// `classForKeyedArchiver`.
public func archivedClass(_ type: AnyClass) -> AnyClass {
  ArchivedClasses.needsStandIn(type) ? ArchivedClasses.standIn(for: type) : type
}
