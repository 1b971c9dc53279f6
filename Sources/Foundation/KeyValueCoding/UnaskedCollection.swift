import Foundation
import Synchronization

/// Warnings about mutable sets of a property that were deallocated without any call, as when one
/// was only cast.
///
/// A cast to `Set` is Foundation's. On this platform it reads the members of Foundation's own two
/// set classes only, and silently gives an empty set for every other class. It calls no method of
/// the set, so the absence of calls is the only sign.
package enum UnaskedCollection {
  private static let told = Mutex<Set<String>>([])

  /// Writes the warning to standard error, once per property.
  package static func report(_ key: String, of owner: String) {
    guard told.withLock({ $0.insert("\(owner).\(key)").inserted }) else { return }
    let text =
      "CoreData: warning: a set of mutableSetValue(forKey: \"\(key)\") of \(owner) was made and never looked into. "
      + "If it was cast to Set, the cast gave an empty set, whatever the members: cast value(forKey:) or use "
      + "allObjects.\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}
