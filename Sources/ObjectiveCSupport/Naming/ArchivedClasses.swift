import CoreData
import Synchronization

/// Classes whose names in archives Foundation's archiver does not find by itself.
///
/// It stops the program at a class that is not at the top of a module, and a name that it has been told it does not find
/// again. So each such class has another stand in for it, whose own name is the one that is wanted.
enum ArchivedClasses {
  // Guarded by its lock; classes are immutable.
  fileprivate struct Guarded: @unchecked Sendable {
    var standIns: [ObjectIdentifier: AnyClass] = [:]
  }
  private static let all = Mutex(Guarded())

  /// Names a class, so that archives are read before one is written.
  static func register(_ type: AnyClass, inFile file: String?) {
    guard ClassNames.name(of: type) == nil else { return }
    let mangled = isAtTop(type) ? nil : MangledName.of(type, inFile: file)
    ClassNames.register(type, as: mangled ?? nameOfClass(type))
  }

  static func standIn(for type: AnyClass) -> AnyClass {
    all.withLock { $0.standIn(for: type) }
  }

  /// Whether Foundation finds no name for the class or for one that it inherits from, or another than is wanted.
  static func needsStandIn(_ type: AnyClass) -> Bool {
    if ClassNames.name(of: type) != nil || !isAtTop(type) { return true }
    return _getSuperclass(type).map(needsStandIn) ?? false
  }
}

extension ArchivedClasses.Guarded {
  /// A class that archivers find the name of, and the names of what it inherits from.
  fileprivate mutating func standIn(for type: AnyClass) -> AnyClass {
    if let known = standIns[ObjectIdentifier(type)] { return known }
    // A generic class, or one in a function, is known from now on.
    if !isAtTop(type) { ArchivedClasses.register(type, inFile: nil) }
    let parts = nameOfClass(type).split(separator: ".").map(String.init)
    // Of its own classes Foundation names no module.
    let made: AnyClass = NamedClass.make(
      module: parts.count == 2 ? parts[0] : "Foundation", name: parts[parts.count - 1],
      superclass: _getSuperclass(type).map { standIn(for: $0) })
    standIns[ObjectIdentifier(type)] = made
    return made
  }
}

/// The class that an archiver takes the name of objects from. What ported classes answer as `classForKeyedArchiver`.
public func archivedClass(_ type: AnyClass) -> AnyClass {
  ArchivedClasses.needsStandIn(type) ? ArchivedClasses.standIn(for: type) : type
}
