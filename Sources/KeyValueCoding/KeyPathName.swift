import Foundation
import Synchronization

/// A class that can say which key a Swift key path reads: its accessors, on the slow path that a
/// fault takes anyway, record the key that they were asked for.
package protocol KeyPathProbe: AnyObject {
  /// An object for reading key paths from, which records into `recorder` and answers a to-one
  /// relationship with a further probe; nil when no object of the class can be made.
  static func makeProbe(recorder: KeyRecorder) -> AnyObject?
}

/// The names behind Swift key paths: `"parent.title"` for `\Item.parent?.title`.
package enum KeyPathName {
  /// A key path as a key of the table of names. It crosses threads soundly: a key path is immutable
  /// and is only hashed and compared here.
  private struct Entry: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
  }

  // A name never changes, so the table only grows by one entry per key path of the program.
  private static let names = Mutex<[Entry: String]>([:])

  /// The dotted name; nil when neither the root's class records its keys nor Swift knows the names
  /// (it knows those of stored properties of structures and final classes).
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

  /// Names a key path that would tell no name of itself: that of a property which Objective-C would see.
  package static func register(_ keyPath: AnyKeyPath, as name: String) {
    names.withLock { $0[Entry(keyPath: keyPath)] = name }
    RegisteredSteps.add(keyPath, name)
  }

  /// The keys that reading a key path asks a probe for, in the order of asking.
  package static func keys(readBy keyPath: AnyKeyPath) -> [String] {
    guard let root = type(of: keyPath).rootType as? any KeyPathProbe.Type else { return [] }
    return KeyPathReading.keys(of: keyPath, from: root)
  }

  private static func recordedName(of keyPath: AnyKeyPath) -> String? {
    guard let root = type(of: keyPath).rootType as? any KeyPathProbe.Type else { return nil }
    let keys = KeyPathReading.keys(of: keyPath, from: root)
    // A path that goes on inside of a value has more components, and is not named by its first ones.
    guard !keys.isEmpty, componentCount(of: keyPath) == keys.count else { return nil }
    return keys.joined(separator: ".")
  }

  /// Swift describes a key path as `\Root.first?.second`, with `<computed …>` for what it cannot
  /// name.
  private static func describedName(of keyPath: AnyKeyPath) -> String? {
    let text = "\(keyPath)"
    let root = "\\\(type(of: keyPath).rootType)."
    guard text.hasPrefix(root), !text.contains("<computed"), !text.contains("[") else { return nil }
    return text.dropFirst(root.count).filter { $0 != "?" && $0 != "!" }
  }
}
