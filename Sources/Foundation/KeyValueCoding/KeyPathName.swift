import Foundation
import Synchronization

/// A class that can name the key that a Swift key path reads. Its accessors record the key that was
/// read, on the slow path that a fault needs anyway.
package protocol KeyPathProbe: AnyObject {
  /// An object for reading key paths, which records into `recorder` and returns a further probe for
  /// a to-one relationship; nil if no object of the class can be made.
  static func makeProbe(recorder: KeyRecorder) -> AnyObject?
}

/// The names of Swift key paths: `"parent.title"` for `\Item.parent?.title`.
package enum KeyPathName {
  /// A key path as a key of the table of names. Unchecked because `AnyKeyPath` is not Sendable; a
  /// key path is immutable and is only hashed and compared here.
  private struct Entry: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
  }

  // The names found so far. A name never changes, so the table only grows by one entry per key path
  // of the program.
  private static let names = Mutex<[Entry: String]>([:])

  /// The dotted name. Nil if the root's class does not record its keys, the properties are not
  /// registered, and Swift's description has no names (it has those of stored properties of
  /// structures and final classes).
  package static func name(of keyPath: AnyKeyPath) -> String? {
    let entry = Entry(keyPath: keyPath)
    if let known = names.withLock({ $0[entry] }) { return known }
    guard
      let name = recordedName(of: keyPath) ?? registeredPath(of: keyPath)
        ?? describedName(of: keyPath)
    else { return nil }
    names.withLock { $0[entry] = name }
    return name
  }

  /// Registers the name of a key path whose description has none: a property that Objective-C would
  /// see.
  package static func register(_ keyPath: AnyKeyPath, as name: String) {
    names.withLock { $0[Entry(keyPath: keyPath)] = name }
    RegisteredSteps.add(keyPath, name: name)
  }

  /// The keys that reading a key path requests from a probe, in the order of the requests.
  package static func keys(readBy keyPath: AnyKeyPath) -> [String] {
    guard let root = type(of: keyPath).rootType as? any KeyPathProbe.Type else { return [] }
    return KeyPathReading.keys(of: keyPath, from: root)
  }

  private static func recordedName(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? any KeyPathProbe.Type else { return nil }
    let keys = KeyPathReading.keys(of: keyPath, from: root)
    // A path that continues inside a value has more components; the first ones do not name it.
    guard !keys.isEmpty, componentCount(of: keyPath) == keys.count else { return nil }
    return keys.joined(separator: ".")
  }

  /// The name in Swift's description of a key path, `\Root.first?.second`. Nil if the description
  /// has `<computed …>` for an unnamed property or a subscript.
  private static func describedName(of keyPath: AnyKeyPath) -> String? {
    let text = "\(keyPath)"
    let root = "\\\(type(of: keyPath).rootType)."
    guard text.hasPrefix(root), !text.contains("<computed"), !text.contains("[") else { return nil }
    return text.dropFirst(root.count).filter { $0 != "?" && $0 != "!" }
  }
}
